const DOC = 'usr/share/doc'
const XORG = `${DOC}/xorg-docs`

/** One work in several formats, as Debian's packages ship it: package, path without its ending, endings. */
export const WORKS: readonly (readonly [packageName: string, stem: string, endings: readonly string[]])[] = [
  ['developers-reference', 'usr/share/developers-reference/developers-reference', ['pdf', 'epub', 'txt']],
  ['debmake-doc', `${DOC}/debmake-doc/debmake-doc.en`, ['pdf', 'epub', 'txt']],
  ['debmake-doc', `${DOC}/debmake-doc/debmake-doc.de`, ['txt', 'epub', 'pdf']],
  ['debmake-doc', `${DOC}/debmake-doc/debmake-doc.ru`, ['epub', 'pdf', 'txt']],
  ['debian-history', `${DOC}/debian-history/docs/project-history.en`, ['pdf', 'epub', 'txt']],
  ['debian-history', `${DOC}/debian-history/docs/project-history.de`, ['epub', 'pdf', 'txt']],
  ['debian-history', `${DOC}/debian-history/docs/project-history.fr`, ['txt', 'pdf', 'epub']],
  ['installation-guide-amd64', `${DOC}/installation-guide-amd64/en/install.en`, ['pdf', 'txt']],
  ['installation-guide-amd64', `${DOC}/installation-guide-amd64/de/install.de`, ['txt', 'pdf']],
  ['debian-reference-en', 'usr/share/debian-reference/debian-reference.en', ['pdf', 'txt']],
  ['debian-policy', `${DOC}/debian-policy/policy`, ['pdf', 'epub', 'txt']],
  ['debian-policy', `${DOC}/debian-policy/fhs/fhs-3.0`, ['pdf', 'txt']],
  ['survex', `${DOC}/survex/manual`, ['pdf', 'txt']],
  ['fai-doc', `${DOC}/fai-doc/fai-guide`, ['pdf', 'txt']],
  ['lifelines-doc', `${DOC}/lifelines-doc/ll-userguide`, ['pdf', 'txt']],
  ['lifelines-doc', `${DOC}/lifelines-doc/ll-reportmanual`, ['pdf', 'txt']],
  ['maint-guide', `${DOC}/maint-guide/maint-guide.en`, ['pdf', 'txt']],
  ['eyes17-manuals-en', `${DOC}/eyes17/en/eyes17`, ['pdf', 'epub']],
  ['debian-faq', `${DOC}/debian/FAQ/debian-faq.en`, ['pdf', 'txt']],
  ['xorg-docs', `${XORG}/Xserver/XACE-Spec`, ['pdf', 'txt']],
  ['xorg-docs', `${XORG}/Xserver/analysis`, ['pdf', 'txt']],
  ['xorg-docs', `${XORG}/xlfd/xlfd`, ['pdf', 'txt']],
  ['xorg-docs', `${XORG}/icccm/icccm`, ['pdf', 'txt']],
  ['xorg-docs', `${XORG}/fonts/fonts`, ['pdf', 'txt']]
]

/** Documents near one another, each a work of its own: versions of a charter, guides of one project, two spellings of an exam. */
export const NEIGHBOURS: readonly (readonly [packageName: string, path: string])[] = [
  ...['1.0', '1.1', '1.2', '1.3', '1.4', '1.5', '1.6', '1.7', '1.8'].map(
    (version) => ['doc-debian', `${DOC}/debian/constitution.${version}.txt`] as const
  ),
  ['doc-debian', `${DOC}/debian/constitution.txt`],
  ['doc-debian', `${DOC}/debian/social-contract.1.0.txt`],
  ['doc-debian', `${DOC}/debian/social-contract.1.1.txt`],
  ['doc-debian', `${DOC}/debian/social-contract.txt`],
  ['doc-debian', `${DOC}/debian/bug-maint-info.txt`],
  ['doc-debian', `${DOC}/debian/bug-log-mailserver.txt`],
  ['doc-debian', `${DOC}/debian/bug-maint-mailcontrol.txt`],
  ['bash-doc', `${DOC}/bash/bash.pdf`],
  ['bash-doc', `${DOC}/bash/bashref.pdf`],
  ['ddd-doc', `${DOC}/ddd/ddd.pdf`],
  ['ddd-doc', `${DOC}/ddd/ddd-themes.pdf`],
  ...['user-manual', 'developer-guide', 'packager-guide'].map(
    (name) => ['nut-doc', `${DOC}/nut-doc/pdf/${name}.pdf`] as const
  ),
  ...['R-FAQ', 'R-admin', 'R-ints', 'R-intro', 'R-lang', 'R-data', 'R-exts'].map(
    (name) => ['r-doc-pdf', `usr/share/R/doc/manual/${name}.pdf`] as const
  ),
  ...['manual', 'modules', 'modules2', 'morphix'].map((name) => ['tablix2-doc', `${DOC}/tablix2/${name}.pdf`] as const),
  ...['Programmers_Guide', 'Users_Guide', 'Release_Notes'].map(
    (name) => ['geotranz-doc', `${DOC}/geotranz-doc/MSP_Geotrans_${name}.pdf`] as const
  ),
  ...['en-eyes', 'en-eyesj', 'en-eyesj-progman'].map(
    (name) => ['expeyes-doc-en', `usr/share/expeyes/doc/${name}.pdf`] as const
  ),
  ['bird2-doc', `${DOC}/bird2/bird.pdf`],
  ['bird2-doc', `${DOC}/bird2/prog.pdf`],
  ...['sample-amc', 'sample-plain', 'sample-separate'].map(
    (name) => ['auto-multiple-choice-doc-pdf', `${DOC}/auto-multiple-choice/latex/${name}.pdf`] as const
  ),
  ...['hhh4', 'hhh4_spacetime', 'twinSIR', 'twinstim'].map(
    (name) => ['r-cran-surveillance', `usr/lib/R/site-library/surveillance/doc/${name}.pdf`] as const
  ),
  ['debian-policy', `${DOC}/debian-policy/upgrading-checklist.txt`],
  ['debian-policy', `${DOC}/debian-policy/perl-policy.txt`],
  ['debian-policy', `${DOC}/debian-policy/menu-policy.txt`]
]
