/** A CPU profile of the process that asks for it, and where it says the time went. */
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Percent of all samples that were inside the function itself. */
export type SelfTime = { percent: number; name: string; place: string }
export type Profile = { file: string; top: SelfTime[] }

const TOP = 15
const root = fileURLToPath(new URL('../../', import.meta.url))
let session: Session | undefined

const placeOf = (url: string, line: number): string => {
  if (!url) return '(native)'
  const path = url.startsWith('file://') ? relative(root, fileURLToPath(url)) : url
  return `${path}:${line + 1}`
}

export async function beginProfile(): Promise<void> {
  session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 500 })
  await session.post('Profiler.start')
}

/** Ends the profile, writes it to `file` (any tool that reads .cpuprofile opens it) and sums it up. */
export async function endProfile(file: string): Promise<Profile> {
  if (!session) throw new Error('no profile was begun')
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  writeFileSync(file, JSON.stringify(profile))
  const byFunction = new Map<string, SelfTime>()
  let samples = 0
  for (const { callFrame, hitCount = 0 } of profile.nodes) {
    if (callFrame.functionName === '(idle)') continue
    samples += hitCount
    const place = placeOf(callFrame.url, callFrame.lineNumber)
    const name = callFrame.functionName || '(anonymous)'
    const known = byFunction.get(name + place) ?? { percent: 0, name, place }
    known.percent += hitCount
    byFunction.set(name + place, known)
  }
  const top = [...byFunction.values()].sort((a, b) => b.percent - a.percent).slice(0, TOP)
  return {
    file,
    top: top.map((one) => ({ ...one, percent: Math.round((one.percent / samples) * 1000) / 10 })),
  }
}
