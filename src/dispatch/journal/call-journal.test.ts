import { randomUUID } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { type CallJournal, openCallJournal } from './call-journal.ts'
import { currentBoot } from './machine.ts'
import { adoptJournals, dropJournal } from './orphaned-journals.ts'

const until = new Date('2026-11-21T10:00:00.000Z')
const newCall = () => ({ workspaceId: randomUUID(), id: randomUUID() })
const opened: CallJournal[] = []
afterEach(async () => {
  for (const journal of opened.splice(0)) await journal.close().catch(() => {})
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function openIn(folder: string, options: { database?: string; nowMs?: () => number } = {}) {
  const errors: unknown[] = []
  const journal = await openCallJournal({
    folder,
    holder: randomUUID(),
    database: options.database ?? 'one',
    monotonicMs: options.nowMs ?? (() => 0),
    onError: (error) => errors.push(error),
  })
  opened.push(journal!)
  return { journal: journal!, errors }
}

const filesOf = (folder: string, end = '.journal') => readdirSync(folder).filter((name) => name.endsWith(end))
const pathIn = (folder: string): string => join(folder, filesOf(folder)[0]!)

/** Leaves the journal of a dead process with one call not started, one started, and one answered. */
async function leaveJournal(folder: string) {
  const { journal } = await openIn(folder)
  const keys = [newCall(), newCall(), newCall()]
  const { until: leasedUntil, calls } = journal.lease(keys, until)
  journal.begin(calls[1])
  journal.begin(calls[2])
  journal.answer(calls[2], { kind: 'accepted', chanmid: 'wamid.1' })
  await journal.close()
  return {
    holder: journal.self.name,
    keys,
    entries: [
      { ...keys[0], leasedUntil, hasBegun: false, answer: undefined },
      { ...keys[1], leasedUntil, hasBegun: true, answer: undefined },
      { ...keys[2], leasedUntil, hasBegun: true, answer: { kind: 'accepted', chanmid: 'wamid.1' } },
    ],
  }
}

async function adoptedIn(folder: string, options: { database?: string } = {}) {
  const { journal } = await openIn(folder, options)
  return adoptJournals(journal, new Date())
}

describe.skipIf(currentBoot() === undefined)('the journal of calls', () => {
  test('reports which calls were leased, started, and answered', async () => {
    const folder = newFolder()
    const { holder, entries } = await leaveJournal(folder)
    const [left, ...others] = await adoptedIn(folder)
    expect(left).toMatchObject({ holders: [holder], calls: entries })
    expect(others).toEqual([])
    await dropJournal(left!)
    expect(await adoptedIn(folder)).toEqual([])
    expect(filesOf(folder)).toEqual([])
  })

  test('only one of two processes that start together takes it over', async () => {
    const folder = newFolder()
    await leaveJournal(folder)
    const starters = await Promise.all(Array.from({ length: 5 }, () => openIn(folder)))
    const found = await Promise.all(starters.map(({ journal }) => adoptJournals(journal, new Date())))
    expect(found.flat()).toHaveLength(1)
  })

  test('a process that dies while handling a journal leaves it to the next process', async () => {
    const folder = newFolder()
    const { holder, entries } = await leaveJournal(folder)
    const { journal: second } = await openIn(folder)
    const [first] = await adoptJournals(second, new Date())
    expect(first).toBeDefined()
    await second.self.release(false)
    opened.splice(opened.indexOf(second), 1)
    const [left] = await adoptedIn(folder)
    expect(left).toMatchObject({ holders: [holder, second.self.name], calls: entries })
  })

  test('is left alone while its process is alive or may be alive', async () => {
    const folder = newFolder()
    const { journal } = await openIn(folder)
    journal.lease([newCall()], until)
    expect(await adoptedIn(folder)).toEqual([])
    for (const name of filesOf(folder, '.sock')) unlinkSync(join(folder, name))
    expect(await adoptedIn(folder)).toEqual([])
    expect(filesOf(folder)).toHaveLength(1)
  })

  test('a journal of another boot or another database is left alone', async () => {
    const folder = newFolder()
    await leaveJournal(folder)
    expect(await adoptedIn(folder, { database: 'another' })).toEqual([])
    const path = pathIn(folder)
    writeFileSync(path, readFileSync(path, 'utf8').replace(currentBoot()!, randomUUID()))
    expect(await adoptedIn(folder)).toEqual([])
    expect(filesOf(folder)).toHaveLength(1)
  })

  test('a copy of a journal is left alone', async () => {
    const folder = newFolder()
    await leaveJournal(folder)
    const path = pathIn(folder)
    copyFileSync(path, `${path}.copy`)
    unlinkSync(path)
    copyFileSync(`${path}.copy`, path)
    expect(await adoptedIn(folder)).toEqual([])
  })

  test('a last line that is cut off at any byte counts as never written', async () => {
    const folder = newFolder()
    const { keys } = await leaveJournal(folder)
    const path = pathIn(folder)
    const text = readFileSync(path, 'utf8')
    const lastBegin = text.lastIndexOf('{"begin"')
    const broken = text.indexOf('\n', lastBegin)
    truncateSync(path, broken)
    const [left] = await adoptedIn(folder)
    expect(left!.calls.map(({ id, hasBegun, answer }) => [id, hasBegun, answer])).toEqual([
      [keys[0]!.id, false, undefined],
      [keys[1]!.id, true, undefined],
      [keys[2]!.id, false, undefined],
    ])
  })

  test('a journal with an unknown line is ignored entirely', async () => {
    const folder = newFolder()
    await leaveJournal(folder)
    appendFileSync(pathIn(folder), '{"begin":[7,0]}\n')
    expect(await adoptedIn(folder)).toMatchObject([{ calls: [] }])
  })

  test("a file that can't be written any more is removed: calls continue without it, and a later call opens a new file", async () => {
    const folder = newFolder()
    let nowMs = 0
    const { journal, errors } = await openIn(folder, { nowMs: () => nowMs })
    const [first, second] = journal.lease([newCall(), newCall()], until).calls
    expect(journal.begin(first)).toBe(true)
    closeSync(first!.file.fd)
    expect([journal.begin(second), filesOf(folder), errors.length]).toEqual([true, [], 1])
    expect(journal.lease([newCall()], until).calls).toEqual([undefined])
    expect(journal.begin(undefined)).toBe(true)
    nowMs = 11_000
    expect(journal.lease([newCall()], until).calls[0]).toBeDefined()
    expect([filesOf(folder).length, errors.length]).toEqual([1, 1])
  })

  test('a file that can neither be written nor removed blocks the calls that it shows as not started', async () => {
    const folder = newFolder()
    const { journal } = await openIn(folder)
    const [call] = journal.lease([newCall()], until).calls
    closeSync(call!.file.fd)
    unlinkSync(call!.file.path)
    mkdirSync(call!.file.path)
    expect(journal.begin(call)).toBe(false)
  })

  test('is emptied when all its calls are settled, and continues in a new file when it is large', async () => {
    const folder = newFolder()
    const { journal } = await openIn(folder)
    const lasting = journal.lease([newCall()], until).calls
    for (let i = 0; i < 16; i++) {
      const { calls } = journal.lease(Array.from({ length: 1_000 }, newCall), until)
      for (const call of calls) journal.settle(call)
    }
    expect(filesOf(folder).length).toBe(2)
    journal.settle(lasting[0])
    expect(filesOf(folder).length).toBe(1)
    expect(readFileSync(pathIn(folder)).length).toBeLessThan(1_100_000)
    await journal.close()
    expect(readdirSync(folder)).toEqual([])
  })

  test('no two groups share a lease end, and none uses a lease end named in an older journal', async () => {
    const folder = newFolder()
    await leaveJournal(folder)
    const { journal } = await openIn(folder)
    await adoptJournals(journal, new Date())
    const leases = [1, 2, 3].map(() => journal.lease([newCall()], until).until.getTime() - until.getTime())
    expect(leases).toEqual([1, 2, 3])
  })

  test('works in a folder whose path is longer than socket addresses may be', async () => {
    const folder = join(newFolder(), 'x'.repeat(150))
    mkdirSync(folder)
    const { entries } = await leaveJournal(folder)
    expect(await adoptedIn(folder)).toMatchObject([{ calls: entries }])
  })

  test("reports a folder that can't be created", async () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    await expect(openIn(join(file, 'below'))).rejects.toThrow()
  })
})
