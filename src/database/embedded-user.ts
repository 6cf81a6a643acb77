// PostgreSQL does not run as root. Started by root, it runs as the system user `postgres`, which may be
// unable to enter the folder of the data or binaries (such as a clone under /root). Then setpriv gives it the
// one capability that it needs to pass through closed folders.
import { execFileSync, type SpawnOptions, spawnSync } from 'node:child_process'

/** A user of this machine, by ID. */
export type SystemUser = { uid: number; gid: number }

/** The user of a database process, and the prefix of its command. */
export type RunAs = { uid?: number; gid?: number; prefix: string[] }

/**
 * Finds a way to run `program` with access to `folder` without being root. `owner` is the user of an existing
 * data directory, if any. Undefined: no way on this machine.
 */
export function findRunAs(program: string, folder: string, owner?: SystemUser): RunAs | undefined {
  if (process.getuid?.() !== 0) return { prefix: [] }
  const user = owner ?? systemUser()
  return candidatesFor(user).find((runAs) => canRun(runAs, program, folder))
}

/** Returns the command and options to spawn a database program with. */
export function spawnArguments(
  runAs: RunAs,
  program: string,
  args: string[],
): [string, string[], SpawnOptions] {
  const [first, ...rest] = [...runAs.prefix, program, ...args] as [string, ...string[]]
  const identity = runAs.prefix.length > 0 ? {} : { uid: runAs.uid, gid: runAs.gid }
  // The current folder may be closed to the user of the program.
  return [first, rest, { cwd: '/', ...identity }]
}

function candidatesFor(user: SystemUser): RunAs[] {
  const withCapability = (capability: string): RunAs => ({
    ...user,
    prefix: [
      'setpriv',
      `--reuid=${user.uid}`,
      `--regid=${user.gid}`,
      '--clear-groups',
      `--inh-caps=+${capability}`,
      `--ambient-caps=+${capability}`,
      // Without this bit, access(2), which PostgreSQL calls for its own binary, ignores capabilities.
      '--securebits=+no_setuid_fixup',
    ],
  })
  // Containers often lack the narrower capability.
  return [{ ...user, prefix: [] }, withCapability('dac_read_search'), withCapability('dac_override')]
}

function canRun(runAs: RunAs, program: string, folder: string): boolean {
  const [shell, args, options] = spawnArguments(runAs, '/bin/sh', [
    '-c',
    'cd "$1" && "$2" --version',
    'sh',
    folder,
    program,
  ])
  return spawnSync(shell, args, { ...options, stdio: 'ignore' }).status === 0
}

function systemUser(): SystemUser {
  const user = lookUp('postgres') ?? createPostgresUser() ?? lookUp('nobody')
  if (!user) throw new Error('There is no system user to run PostgreSQL as. Create one named postgres.')
  return user
}

function createPostgresUser(): SystemUser | undefined {
  spawnSync('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    'postgres',
  ])
  return lookUp('postgres')
}

function lookUp(name: string): SystemUser | undefined {
  try {
    const readId = (flag: string) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }))
    return { uid: readId('-u'), gid: readId('-g') }
  } catch {
    return undefined
  }
}
