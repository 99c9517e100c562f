import type { UPDATE_CODES } from '../reasons/update.ts'
import type { SentencesOf } from './sentence.ts'

export const UPDATE_SENTENCES = {
  bundle_no_archive: {
    en: 'this is no bundle: the file is called lookout-VERSION-linux-arm64.tar.xz or …-x64.tar.xz',
    de: 'das ist kein Paket: Die Datei heißt lookout-VERSION-linux-arm64.tar.xz oder …-x64.tar.xz'
  },
  bundle_cut_off: {
    en: 'the file ends too early: fetch it again, and compare its size with the one where it came from',
    de: 'die Datei endet zu früh: Holen Sie sie noch einmal, und vergleichen Sie ihre Größe mit der an der Quelle'
  },
  bundle_leaves_folder: {
    en: 'it would write outside its own folder ({path}): it is not taken',
    de: 'es würde außerhalb seines eigenen Ordners schreiben ({path}): es wird nicht genommen'
  },
  bundle_odd_member: {
    en: 'it holds something that no bundle has ({path}): it is not taken',
    de: 'es enthält etwas, das in kein Paket gehört ({path}): es wird nicht genommen'
  },
  bundle_too_large: {
    en: 'it is far larger than a bundle is: it is not taken',
    de: 'es ist viel größer als ein Paket: es wird nicht genommen'
  },
  bundle_not_as_signed: {
    en: 'it is not as it was signed: {path} differs ({count} files in all). Fetch it again',
    de: 'es ist nicht, wie es signiert wurde: {path} weicht ab ({count} Dateien insgesamt). Holen Sie es noch einmal'
  },
  bundle_not_checked: {
    en: 'it could not be checked: {said}',
    de: 'es ließ sich nicht prüfen: {said}'
  },
  bundle_not_copied: {
    en: 'it could not be copied from there: {why}',
    de: 'es ließ sich von dort nicht kopieren: {why}'
  },
  bundle_other_machine: {
    en: 'it was made for another kind of board: take the bundle whose name ends as said above',
    de: 'es wurde für eine andere Art von Rechner gemacht: Nehmen Sie das Paket, dessen Name so endet wie oben gesagt'
  },
  bundle_older: {
    en: 'it is older than the release that runs: set the tick that says so, if that is what you want',
    de: 'es ist älter als die Version, die läuft: Setzen Sie den Haken dafür, wenn Sie das wollen'
  },
  bundle_gone: {
    en: 'the file was gone when it should be installed: upload it again',
    de: 'die Datei war weg, als sie installiert werden sollte: Laden Sie sie noch einmal hoch'
  },
  bundle_changed: {
    en: 'the file is not the one that was checked: upload it again',
    de: 'die Datei ist nicht die, die geprüft wurde: Laden Sie sie noch einmal hoch'
  },
  bundle_none_here: {
    en: 'there is no bundle that could be installed: upload one first',
    de: 'es ist kein Paket da, das sich installieren ließe: Laden Sie zuerst eines hoch'
  },
  bundle_not_found: {
    en: '{path} is not there any more: is the stick still plugged in?',
    de: '{path} ist nicht mehr da: Steckt der Stick noch?'
  },
  backup_running: {
    en: 'a backup is being made already: wait until it is done',
    de: 'eine Sicherung wird schon gemacht: warten Sie, bis sie fertig ist'
  },
  backup_stick_missing: {
    en: 'no stick labelled LOOKOUT is plugged in',
    de: 'es steckt kein Stick mit der Bezeichnung LOOKOUT'
  },
  backup_folder_missing: {
    en: 'the folder {folder} is not there',
    de: 'der Ordner {folder} ist nicht da'
  },
  backup_not_whole: {
    en: 'what was written does not read back as it was: {file} ({count} files in all). Take another stick',
    de: 'was geschrieben wurde, liest sich anders zurück: {file} ({count} Dateien insgesamt). Nehmen Sie einen anderen Stick'
  },
  backup_not_here: {
    en: 'a preview makes no backups',
    de: 'eine Vorschau macht keine Sicherungen'
  },
  handbook_missing: {
    en: 'the folder docs is not beside the program: install it anew',
    de: 'der Ordner docs liegt nicht neben dem Programm: installieren Sie es neu'
  },
  board_off_battery: {
    en: 'switching off: battery {percent} %',
    de: 'schaltet ab: Akku {percent} %'
  },
  board_off_voltage: {
    en: 'switching off: supply too weak',
    de: 'schaltet ab: Versorgung zu schwach'
  },
  backup_file_none: {
    en: 'this is no backup: the file is called lookout-backup-….tar, and the page of backups gives it to be downloaded',
    de: 'das ist keine Sicherung: Die Datei heißt lookout-backup-….tar, und die Seite der Sicherungen gibt sie zum Herunterladen'
  },
  backup_file_cut_off: {
    en: 'the file ends too early: download it again, and compare its size',
    de: 'die Datei endet zu früh: Laden Sie sie noch einmal herunter, und vergleichen Sie ihre Größe'
  },
  backup_file_odd: {
    en: 'it holds something that no backup has ({path}): it is not taken',
    de: 'sie enthält etwas, das in keine Sicherung gehört ({path}): sie wird nicht genommen'
  },
  backup_none_uploaded: {
    en: 'no backup was uploaded that could be put back: upload one first',
    de: 'es wurde keine Sicherung hochgeladen, die sich zurückspielen ließe: Laden Sie zuerst eine hoch'
  },
  backup_looked_at: {
    en: 'the backup is still being looked at: wait until the page says what it is',
    de: 'die Sicherung wird noch geprüft: warten Sie, bis die Seite sagt, was sie ist'
  },
  audit_backup_downloaded: {
    en: 'The backup {stamp} was downloaded.',
    de: 'Die Sicherung {stamp} wurde heruntergeladen.'
  },
  restore_newer: {
    en: 'it was made by release {made_by}, which is newer than this one: update the station first',
    de: 'sie wurde mit Version {made_by} gemacht, die neuer ist als diese: Aktualisieren Sie zuerst die Station'
  },
  audit_restore_asked: {
    en: 'The backup {stamp} is to be put back.',
    de: 'Die Sicherung {stamp} soll zurückgespielt werden.'
  },
  audit_backup_asked: { en: 'A backup was asked for.', de: 'Eine Sicherung wurde verlangt.' },
  update_not_here: {
    en: 'nothing on this machine installs a release: lookout-update.path is not installed',
    de: 'nichts auf diesem Rechner installiert eine Version: lookout-update.path ist nicht installiert'
  },
  update_package: {
    en: 'Lookout was installed as a package of Debian: update it with apt',
    de: 'Lookout wurde als Debian-Paket installiert: Aktualisieren Sie es mit apt'
  },
  update_image: {
    en: 'this station was written onto its card as an image: a newer release comes as a newer image',
    de: 'diese Station wurde als Abbild auf ihre Karte geschrieben: Eine neuere Version kommt als neueres Abbild'
  },
  update_running: {
    en: 'a release is being installed already: wait until it is done',
    de: 'eine Version wird schon installiert: Warten Sie, bis das fertig ist'
  },
  update_no_room: {
    en: 'there is not enough room in /opt, or it is read only: 800 MB are needed',
    de: 'in /opt ist nicht genug Platz, oder es lässt sich nicht beschreiben: 800 MB werden gebraucht'
  },
  update_not_healthy: {
    en: 'it did not come up healthy. Its last words: “{said}”',
    de: 'sie lief nicht gesund an. Ihre letzten Worte: „{said}“'
  },
  update_failed: {
    en: 'installing it failed: {said}. All of it: journalctl -u lookout-update',
    de: 'das Installieren misslang: {said}. Alles dazu: journalctl -u lookout-update'
  },
  update_interrupted: {
    en: 'it was interrupted, as by a pulled plug. Look at the version that runs, and install it again if need be',
    de: 'es wurde unterbrochen, etwa durch einen gezogenen Stecker. Sehen Sie nach, welche Version läuft, und installieren Sie nötigenfalls noch einmal'
  },
  audit_update_asked: { en: 'Release {version} is to be installed.', de: 'Version {version} soll installiert werden.' },
  audit_update_done: {
    en: 'Release {version} was installed in place of {from}.',
    de: 'Version {version} wurde anstelle von {from} installiert.'
  },
  audit_update_rolled_back: {
    en: 'Release {version} was taken back, {from} runs again: {why}',
    de: 'Version {version} wurde zurückgenommen, {from} läuft wieder: {why}'
  },
  audit_update_refused: {
    en: 'Release {version} was not installed: {why}',
    de: 'Version {version} wurde nicht installiert: {why}'
  }
} as const satisfies SentencesOf<typeof UPDATE_CODES>
