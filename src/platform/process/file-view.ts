import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, extname, isAbsolute, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The files that exist for a program, beside the system's own and those of its command. */
export interface FileView {
  reads: readonly string[]
  /** The folder of its job; the first is where it stands. */
  writes: readonly string[]
}

/** The way a program is given a view of its own: found once, by trying. */
export interface ViewMeans {
  /** Put before a command: bubblewrap with the system's programs and nothing else. What a job needs is added behind it. */
  line: readonly string[]
  /** Added to `line` for a program that must not have the network; empty where that is not to be had this way. */
  noNetwork: readonly string[]
}

/** Trees that Linux programs and their libraries live in. */
const SYSTEM = ['/usr', '/nix/store', '/gnu/store']
/** Links into /usr, or folders where a system did not merge them. */
const MERGED = ['/bin', '/sbin', '/lib', '/lib32', '/lib64']
/** Facts of the machine that converters and a crawler need; of /etc nothing else: keys may stand in /etc/default. */
const FACTS = [
  ...['alternatives', 'ca-certificates', 'fonts', 'group', 'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d'],
  ...[
    'libreoffice',
    'localtime',
    'mime.types',
    'nsswitch.conf',
    'papersize',
    'passwd',
    'pki/ca-trust',
    'pki/tls/certs'
  ],
  ...['ssl/certs', 'ssl/openssl.cnf', 'resolv.conf', 'hosts', 'host.conf', 'gai.conf']
].map((name) => `/etc/${name}`)
const CACHES = ['/run/systemd/resolve', '/var/cache/fontconfig', '/var/lib/libreoffice']
/** Of all that a program writes outside the folder of its job, which no limit of folders counts. Bytes. */
const SCRATCH = 64 * 2 ** 20
const SCRIPTS: ReadonlySet<string> = new Set(['.js', '.mjs', '.cjs', '.ts'])
const MODULE = /^--(?:import|require|loader|experimental-loader)=(.*)$/

/**
 * Ways to call bubblewrap, best first. Its own /proc is refused where that of our service is masked in parts; the one of the
 * machine shows names of other processes, and no more: in a user namespace of its own nobody looks into them.
 */
export function viewCandidates(isRoot: boolean): string[][] {
  const system = [
    ...SYSTEM.flatMap((path) => ['--ro-bind-try', path, path]),
    ...MERGED.flatMap(mergedFolder),
    ...[...FACTS, ...CACHES].flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--dev', '/dev']
  ]
  const users = isRoot ? [['--unshare-user'], []] : [['--unshare-user']]
  const procs = [
    ['--proc', '/proc'],
    ['--ro-bind', '/proc', '/proc']
  ]
  // Older than 0.7 it cannot bound what is written to memory.
  const scratches = [
    ['--size', String(SCRATCH), '--tmpfs', '/tmp'],
    ['--tmpfs', '/tmp']
  ]
  return users.flatMap((user) =>
    scratches.flatMap((scratch) =>
      procs.map((proc) => [
        ...['bwrap', ...user, '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--cap-drop', 'ALL'],
        ...['--die-with-parent', ...system, ...proc, ...scratch]
      ])
    )
  )
}

function mergedFolder(path: string): string[] {
  try {
    if (lstatSync(path).isSymbolicLink()) return ['--symlink', readlinkSync(path), path]
    return ['--ro-bind', path, path]
  } catch {
    // This system has none.
    return []
  }
}

/** The rest of a line that begins with `ViewMeans.line`: what this program may see. */
export function viewArguments(
  { reads, writes }: FileView,
  { command, args, node }: { command: string; args: readonly string[]; node: boolean }
): string[] {
  const programs = [...programFiles(command), ...(node ? ownFiles(args) : [])]
  return [
    ...[...new Set([...programs, ...reads])].flatMap((path) => ['--ro-bind-try', path, path]),
    ...writes.flatMap((path) => ['--bind', path, path]),
    ...['--remount-ro', '/', '--chdir', writes[0] ?? '/tmp', '--']
  ]
}

/** A program outside of the system's trees brings itself, one below /opt all that was installed with it. */
function programFiles(command: string): string[] {
  const real = realOf(command)
  return [command, real].flatMap((path) => {
    if (SYSTEM.concat(MERGED).some((tree) => path.startsWith(`${tree}/`))) return []
    const [, top, name, ...rest] = path.split(sep)
    return top === 'opt' && name !== undefined && rest.length > 0 ? [join('/opt', name)] : [path]
  })
}

const known = new Map<string, string[]>()

/** This program as Node runs it: its code, the packages it uses, and the modules that are loaded before it. */
function ownFiles(args: readonly string[]): string[] {
  const modules = args.flatMap((arg) => {
    const module = MODULE.exec(arg)?.[1] ?? ''
    if (module.startsWith('file:')) return [fileURLToPath(module)]
    return isAbsolute(module) ? [module] : []
  })
  const entry = args.find((arg) => isAbsolute(arg) && SCRIPTS.has(extname(arg)))
  return [...modules, ...(entry === undefined ? [] : [entry])].flatMap((file) => {
    const before = known.get(file)
    if (before !== undefined) return before
    const files = codeAround(file)
    known.set(file, files)
    return files
  })
}

/**
 * Of the package a file belongs to: the folder at its top that holds the file (`dist`), its description, and its packages. Not
 * the whole of it, for the data may lie beside.
 */
function codeAround(file: string): string[] {
  const root = ancestors(file).find((folder) => existsSync(join(folder, 'package.json')))
  const packages = ancestors(file)
    .map((folder) => (basename(folder) === 'node_modules' ? folder : join(folder, 'node_modules')))
    .filter((folder) => existsSync(folder))
  if (root === undefined) return [file, ...packages]
  const [top = ''] = relative(root, file).split(sep)
  return [...new Set([join(root, top), join(root, 'package.json'), ...packages])]
}

function ancestors(path: string): string[] {
  const above = dirname(path)
  return above === path ? [] : [above, ...ancestors(above)]
}

/** The folder itself, and what links in it lead to: a view holds no link's other end by itself. */
export function withLinked(folder: string): string[] {
  const links = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink())
  return [folder, ...links.map(({ name }) => realOf(join(folder, name)))]
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // It leads nowhere: whoever asks for it is told so by the program.
    return path
  }
}
