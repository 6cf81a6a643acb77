/**
 * Measures the processor time of commands, children included, as a multiple of an empty program in the same Node. `key list`
 * also opens a connection; the smallest program that does shows its share.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeServerPackage } from '../../bin/release/server-package.mjs'
import { median } from '../ground/statistics.ts'
import type { Figure } from '../report.ts'
import type { Goal } from './goal.ts'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGE = join(ROOT, 'dist/package')
const TARGET = 3

type Program = { file: string; words: string[]; env?: Record<string, string> }

/** A shell counts in hundredths of a second, so it runs a program this often. */
const REPEATS = 10
const SCRIPT = `i=0
while [ $i -lt ${REPEATS} ]; do "$@" >/dev/null || exit; i=$((i + 1)); done
times`

/** Returns the processor time of a program with its children. Throws if it fails. */
export function cpuMsOf({ file, words, env }: Program): number {
  // The shell's `times` has the time of its ended children, also of theirs.
  const { status, stdout, stderr } = spawnSync('sh', ['-c', SCRIPT, 'sh', file, ...words], {
    encoding: 'utf8',
    env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, ...env },
  })
  if (status !== 0) throw new Error(`${file} ${words.join(' ')} failed: ${stderr}`)
  const times = [
    ...stdout
      .trim()
      .split('\n')
      .at(-1)!
      .matchAll(/(\d+)m([\d.]+)s/g),
  ]
  const seconds = times.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0)
  return (seconds * 1_000) / REPEATS
}

export const measureCommandLine: Goal = async (arena) => {
  await writeServerPackage(ROOT, PACKAGE)
  const database = await arena.database('command_line')
  const env = { DATABASE_URL: database.url, PARLEY_DATA_DIR: join(arena.folder, 'commands') }
  const created = spawnSync(join(ROOT, 'bin/parley'), ['workspace', 'create', '--name', 'Acme', '--json'], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  const { workspaceId } = JSON.parse(created.stdout)
  const connecting = join(arena.folder, 'connect.mjs')
  writeFileSync(
    connecting,
    `import pg from ${JSON.stringify(join(ROOT, 'node_modules/pg/esm/index.mjs'))}
    const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
    await client.connect()
    await client.query('select 1')
    await client.end()`,
  )
  const empty = { file: process.execPath, words: ['-e', '0'] }
  const commands = {
    '--help': ['--help'],
    '--version': ['--version'],
    'key list': ['key', 'list', '--workspace', workspaceId],
  }
  const places = { 'from a clone': join(ROOT, 'bin/parley'), 'from the package': join(PACKAGE, 'bin/parley') }
  const programs: [string, Program][] = [
    ['the smallest program with a connection', { file: process.execPath, words: [connecting], env }],
    ...Object.entries(places).flatMap(([place, file]) =>
      Object.entries(commands).map(([name, words]): [string, Program] => [
        `parley ${name}, ${place}`,
        { file, words, env },
      ]),
    ),
  ]
  for (const [, program] of programs) cpuMsOf(program)
  // Taken in turns, so that all share the same moments of the machine.
  const rounds = Array.from({ length: arena.quick ? 2 : 5 }, () => ({
    emptyMs: cpuMsOf(empty),
    times: programs.map(([, program]) => cpuMsOf(program)),
  }))
  const emptyMs = median(rounds.map((round) => round.emptyMs))
  const figures = programs.map(([label], index): Figure => {
    const ms = median(rounds.map(({ times }) => times[index]!))
    const hasTarget = /--help|--version/.test(label)
    arena.say(`${label}: ${ms.toFixed(0)} ms of processor time, ${(ms / emptyMs).toFixed(1)} times`)
    return {
      goal: 'cli',
      what: label,
      denominator: '`node -e 0`',
      bare: emptyMs,
      ours: ms,
      unit: 'ms of processor',
      ratio: ms / emptyMs,
      target: hasTarget ? `<= ${TARGET}` : 'none',
      ...(hasTarget ? { met: ms / emptyMs <= TARGET } : {}),
      rounds: rounds.map(({ times, emptyMs }) => times[index]! / emptyMs),
    }
  })
  return { figures }
}
