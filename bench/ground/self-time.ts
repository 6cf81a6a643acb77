/** Records a CPU profile of this process and summarizes it. */
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Percent of all samples that were inside the function itself. */
export type SelfTime = { percent: number; name: string; place: string }
/** `rooms`: the same by package, or by file for our own code. */
export type Profile = { file: string; top: SelfTime[]; rooms?: { percent: number; room: string }[] }

const TOP = 15
const root = fileURLToPath(new URL('../../', import.meta.url))
let session: Session | undefined

const placeOf = (url: string, line: number): string => {
  if (!url) return '(native)'
  const path = url.startsWith('file://') ? relative(root, fileURLToPath(url)) : url
  return `${path}:${line + 1}`
}

const roomOf = (place: string): string =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(place)?.[1] ?? place.replace(/:\d+$/, '')

export async function beginProfile(): Promise<void> {
  session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 500 })
  await session.post('Profiler.start')
}

/** Ends the profile, writes it to `file` (any tool that reads .cpuprofile opens it), and summarizes it. */
export async function endProfile(file: string): Promise<Profile> {
  if (!session) throw new Error('no profile was begun')
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  writeFileSync(file, JSON.stringify(profile))
  const byRoom = new Map<string, number>()
  const byFunction = new Map<string, SelfTime>()
  let samples = 0
  for (const { callFrame, hitCount = 0 } of profile.nodes) {
    if (callFrame.functionName === '(idle)') continue
    samples += hitCount
    const place = placeOf(callFrame.url, callFrame.lineNumber)
    const name = callFrame.functionName || '(anonymous)'
    const entry = byFunction.get(name + place) ?? { percent: 0, name, place }
    entry.percent += hitCount
    byFunction.set(name + place, entry)
    const room = place === '(native)' ? `(native) ${name.startsWith('(') ? name : ''}`.trim() : roomOf(place)
    byRoom.set(room, (byRoom.get(room) ?? 0) + hitCount)
  }
  const share = (count: number) => Math.round((count / samples) * 1000) / 10
  const findDearest = <Entry extends { percent: number }>(entries: Iterable<Entry>): Entry[] =>
    [...entries]
      .sort((a, b) => b.percent - a.percent)
      .slice(0, TOP)
      .map((entry) => ({ ...entry, percent: share(entry.percent) }))
  return {
    file,
    top: findDearest(byFunction.values()),
    rooms: findDearest([...byRoom].map(([room, percent]) => ({ room, percent }))),
  }
}
