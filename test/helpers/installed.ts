import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const DEPLOY = fileURLToPath(new URL('../../deploy', import.meta.url))

/** Puts the station where the package has it, below the root of a machine; `builtProgram` is bound into it. */
export function installStation(root: string, config: object): void {
  const place = (from: string, to: string): void => {
    mkdirSync(join(root, to, '..'), { recursive: true })
    copyFileSync(join(DEPLOY, from), join(root, to))
  }
  place('systemd/lookout.service', 'etc/systemd/system/lookout.service')
  for (const name of ['lookout-sandbox.socket', 'lookout-sandbox.service'])
    place(`systemd/${name}`, `etc/systemd/system/${name}`)
  place('systemd/lookout-profile', 'etc/systemd/system-generators/lookout-profile')
  place('sysusers.d/lookout.conf', 'usr/lib/sysusers.d/lookout.conf')
  place('tmpfiles.d/lookout.conf', 'usr/lib/tmpfiles.d/lookout.conf')
  place('journald.conf.d/lookout.conf', 'usr/lib/systemd/journald.conf.d/60-lookout.conf')
  chmodSync(join(root, 'etc/systemd/system-generators/lookout-profile'), 0o755)
  writeFileSync(join(root, 'etc/default/lookout'), 'LOOKOUT_PROFILE=minimal_pi\n')
  const bin = join(root, 'opt/lookout/releases/test/bin')
  mkdirSync(bin, { recursive: true })
  copyFileSync(process.execPath, join(bin, 'node'))
  symlinkSync('releases/test', join(root, 'opt/lookout/current'))
  spawnSync('systemd-sysusers', [`--root=${root}`], { stdio: 'ignore' })
  const data = join(root, 'var/lib/lookout')
  mkdirSync(data, { recursive: true })
  writeFileSync(join(data, 'config.json'), JSON.stringify(config))
  spawnSync('chown', ['-R', '880:880', data])
}
