/**
 * The phone app of a simulated number: its address book and its history, in the operator's format
 * (docs/formats.md section 10). Made of fictitious customers.
 */
import { DAY_MS, HOUR_MS, later, MINUTE_MS, SECOND_MS } from '../../core/clock.ts'
import type { ScheduledReport, SimulatedNumber, SimulatorStore } from './store.ts'
import { keepMedia } from './stored-media.ts'
import { newChannelMessageId, unixSeconds, valueHead } from './webhook-values.ts'

type Line = { ours?: true; text: string; agoMs: number } | { ours?: true; isFile: true; agoMs: number }
type Person = { name: string; digits: string; lines: Line[] }

/** The chats of the phone, newest last. */
const PEOPLE: Person[] = [
  {
    name: 'Meera Iyer',
    digits: '919820000001',
    lines: [
      { text: 'Do you have the clay pots in green?', agoMs: 120 * DAY_MS },
      { ours: true, text: 'Yes, six are left.', agoMs: 120 * DAY_MS - HOUR_MS },
      { text: 'Lovely, I will come on Friday.', agoMs: 119 * DAY_MS },
    ],
  },
  {
    name: 'Ravi Shah',
    digits: '919820000002',
    lines: [
      { text: 'Is my order on its way?', agoMs: 40 * DAY_MS },
      { ours: true, isFile: true, agoMs: 40 * DAY_MS - MINUTE_MS },
      { ours: true, text: 'It left this morning. That is the receipt.', agoMs: 40 * DAY_MS - 2 * MINUTE_MS },
    ],
  },
  {
    name: 'Asha Khan',
    digits: '919820000003',
    lines: [
      { text: 'Are you open on Sunday?', agoMs: 5 * HOUR_MS },
      { ours: true, text: 'Yes, from ten to four.', agoMs: 4 * HOUR_MS },
    ],
  },
]

/** The days of the three phases. */
const PHASE_DAYS = [1, 90, 180]
const GAP_MS = SECOND_MS

/** The reports of the address book. */
export const addressBookReports = (number: SimulatedNumber): ScheduledReport[] => [
  {
    afterMs: GAP_MS,
    field: 'smb_app_state_sync',
    value: (time) => ({
      ...valueHead(number),
      state_sync: PEOPLE.map(({ name, digits }) => ({
        type: 'contact',
        contact: { full_name: name, first_name: name.split(' ')[0], phone_number: digits },
        action: 'add',
        metadata: { timestamp: unixSeconds(time) },
      })),
    }),
  },
]

/** The smallest PNG file: one transparent dot. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** The reports of the history: a chunk for each phase with messages, then the file of a message. */
export async function historyReports(
  store: SimulatorStore,
  number: SimulatedNumber,
): Promise<ScheduledReport[]> {
  const now = await store.now(number)
  const lines = PEOPLE.flatMap(({ digits, lines: texts }) =>
    texts.map((line) => ({ ...line, digits, id: newChannelMessageId(), at: later(now, -line.agoMs) })),
  )
  const messageOf = (line: (typeof lines)[number]) => ({
    from: line.ours ? number.displayNumber : line.digits,
    ...(line.ours ? { to: line.digits } : {}),
    id: line.id,
    timestamp: unixSeconds(line.at),
    ...('text' in line ? { type: 'text', text: { body: line.text } } : { type: 'media_placeholder' }),
    history_context: { status: 'READ' },
  })
  const phaseOf = (agoMs: number): number => PHASE_DAYS.findIndex((days) => agoMs <= days * DAY_MS)
  const chunks = PHASE_DAYS.map((_, phase): ScheduledReport => {
    const threads = [...Map.groupBy(lines, ({ digits }) => digits)].flatMap(([id, thread]) => {
      const own = thread.filter(({ agoMs }) => phaseOf(agoMs) === phase)
      return own.length === 0 ? [] : [{ id, messages: own.map(messageOf) }]
    })
    const progress = Math.round(((phase + 1) / PHASE_DAYS.length) * 100)
    return {
      afterMs: (phase + 2) * GAP_MS,
      field: 'history',
      value: () => ({
        ...valueHead(number),
        history: [{ metadata: { phase, chunk_order: 1, progress }, threads }],
      }),
    }
  })
  const file = await keepMedia(store, number, { bytes: DOT, said: ['image/png'] })
  const sent = lines.find((line) => 'isFile' in line)
  if (!file.ok || !sent) return chunks
  const image = { caption: 'Receipt', mime_type: file.mimeType, sha256: file.sha256, id: file.id }
  const value = () => ({ ...valueHead(number), messages: [{ ...messageOf(sent), type: 'image', image }] })
  return [...chunks, { afterMs: (PHASE_DAYS.length + 2) * GAP_MS, field: 'history', value }]
}
