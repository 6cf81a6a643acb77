/**
 * `npm run bench`: measures the goals of docs/reliability.md section 4 on a temporary database, each as a
 * ratio within one run.
 */
import { cpus, loadavg } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { measureAutomations } from './goals/automations.ts'
import { measureBacklog } from './goals/backlog.ts'
import { measureBookings } from './goals/bookings.ts'
import { measureColdStart } from './goals/cold-start.ts'
import { measureCommandLine } from './goals/command-line.ts'
import { measureCaptures } from './goals/crm-captures.ts'
import { measureDashboard } from './goals/dashboard.ts'
import { measureSends } from './goals/g1-sends.ts'
import { measureContacts } from './goals/g2-contacts.ts'
import { measureDeliveries } from './goals/g3-deliveries.ts'
import { measureCampaigns } from './goals/g4-campaigns.ts'
import { measureLists } from './goals/g5-lists.ts'
import { measureLeadLists } from './goals/g6-leads.ts'
import { measureListRate } from './goals/g7-list-rate.ts'
import { measureMessagePages } from './goals/g7-message-pages.ts'
import { measureIdleEndpoints } from './goals/g8-idle-endpoints.ts'
import { measureDeliveryDelay } from './goals/g9-delivery-delay.ts'
import { measureAgainstParseServer } from './goals/g10-parse-server.ts'
import { measureHeldSnapshot } from './goals/g14-held-snapshot.ts'
import { measureHangingNeighbors } from './goals/g15-hanging-neighbors.ts'
import { measureLimiter } from './goals/g16-limiter.ts'
import { measureBesideCampaign } from './goals/g17-beside-a-campaign.ts'
import type { GoalEntry } from './goals/goal.ts'
import { measureHandover } from './goals/handover.ts'
import { measureInbound } from './goals/inbound.ts'
import { measureInboundCost } from './goals/inbound-cost.ts'
import { measureIntake } from './goals/intake.ts'
import { measureInvoices } from './goals/invoices.ts'
import { measureNpmStart } from './goals/npm-start.ts'
import { measureOpenTelemetry } from './goals/otel.ts'
import { measureContactCost, measureLeadCost, measureSendCost } from './goals/request-costs.ts'
import { measureRetries } from './goals/retries.ts'
import { measureSize } from './goals/size.ts'
import { type Arena, openArena } from './ground/arena.ts'
import { COUNT_STATEMENTS } from './ground/database-use.ts'
import type { Profile } from './ground/self-time.ts'
import { writeModel } from './model/write.ts'
import {
  type Figure,
  type GoalReport,
  ledgerLines,
  profileText,
  shortText,
  tableOf,
  verdictOf,
  waitingLines,
} from './report.ts'

const GOALS: Record<string, GoalEntry> = {
  g1: { measure: measureSends },
  g2: { measure: measureContacts },
  'send-cost': { measure: measureSendCost },
  'contact-cost': { measure: measureContactCost },
  'lead-cost': { measure: measureLeadCost },
  'inbound-cost': { measure: measureInboundCost },
  g3: { measure: measureDeliveries },
  g4: { measure: measureCampaigns },
  g5: { measure: measureLists },
  g6: { measure: measureLeadLists },
  g7: { measure: measureListRate },
  pages: { measure: measureMessagePages },
  captures: { measure: measureCaptures },
  g8: { measure: measureIdleEndpoints },
  g9: { measure: measureDeliveryDelay, settings: { track_commit_timestamp: 'on' } },
  g10: { measure: measureAgainstParseServer, long: true },
  g14: { measure: measureHeldSnapshot },
  g15: { measure: measureHangingNeighbors },
  g16: { measure: measureLimiter },
  g17: { measure: measureBesideCampaign },
  intake: { measure: measureIntake },
  handover: { measure: measureHandover },
  inbound: { measure: measureInbound, long: true },
  backlog: { measure: measureBacklog, long: true },
  retries: { measure: measureRetries, long: true },
  size: { measure: measureSize, settings: { max_wal_size: '8GB' }, long: true },
  'npm-start': { measure: measureNpmStart },
  otel: { measure: measureOpenTelemetry },
  start: { measure: measureColdStart },
  cli: { measure: measureCommandLine },
  invoices: { measure: measureInvoices },
  dashboard: { measure: measureDashboard },
  automations: { measure: measureAutomations },
  bookings: { measure: measureBookings },
}

const LONG = Object.keys(GOALS).filter((name) => GOALS[name]!.long)

const USAGE = `npm run bench [-- options]
  --only g1,g2     only these of ${Object.keys(GOALS).join(', ')};
                   ${LONG.join(', ')} take many minutes, or fetch something,
                   and run only when named
  --quick          short rounds, few of them: to see that it runs, not to judge by
  --json           one JSON object on stdout and nothing else there
  --profile        also CPU profiles and the dearest statements under G1, G2 and G3
  --rows N         rows of the large side of g5 and g6: a million unless given
  --messages N     messages of other workspaces in the full database of size: 50 million unless given
  --model          only prints the model of a cell's capacity, and writes it into docs/growing.md
  --soak MINUTES   also sends for so long at half the rate that the whole way sustains, hand-over and receipts included
`

/** Rows of the large side of g5 and g6. */
const LARGE = 1_000_000
const LARGE_QUICK = 100_000
/** Messages of other workspaces in the full database of `size`. */
const MESSAGES = 50_000_000
const MESSAGES_QUICK = 500_000
const MIN_ROWS = 10_000
/** Phone numbers differ in eight digits. */
const MAX_ROWS = 99_999_999

const SAMPLE_MS = 1_000
const NOISY_PERCENT = 15

/** Returns the percentage of the processors' time in use before the benchmark starts. */
async function busyPercent(): Promise<number> {
  const read = () =>
    cpus().reduce(
      (sum, { times }) => ({
        idle: sum.idle + times.idle,
        all: sum.all + times.idle + times.user + times.nice + times.sys + times.irq,
      }),
      { idle: 0, all: 0 },
    )
  const before = read()
  await wait(SAMPLE_MS)
  const after = read()
  return Math.round((1 - (after.idle - before.idle) / Math.max(1, after.all - before.all)) * 100)
}

const say = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      soak: { type: 'string', default: '0' },
      rows: { type: 'string' },
      messages: { type: 'string' },
      model: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const goals =
    values.only?.toLowerCase().split(',') ?? Object.keys(GOALS).filter((name) => !GOALS[name]!.long)
  const unknown = goals.filter((name) => !Object.hasOwn(GOALS, name))
  if (unknown.length > 0) throw new Error(`there is no goal ${unknown.join(', ')}`)
  const soakMinutes = Number(values.soak)
  if (!(soakMinutes >= 0)) throw new Error('--soak takes minutes')
  const rows = Number(values.rows ?? (values.quick ? LARGE_QUICK : LARGE))
  if (!Number.isInteger(rows) || rows < MIN_ROWS || rows > MAX_ROWS)
    throw new Error(`--rows takes a number of rows from ${MIN_ROWS} to ${MAX_ROWS}`)
  const messages = Number(values.messages ?? (values.quick ? MESSAGES_QUICK : MESSAGES))
  if (!Number.isInteger(messages) || messages < 1) throw new Error('--messages takes a number of messages')
  return { ...values, goals, soakMinutes, rows, messages }
}

/** Parses the arguments; ends the process with the usage if they are wrong. */
function argumentsOrExit(): ReturnType<typeof readArguments> {
  try {
    return readArguments()
  } catch (error) {
    say(`${(error as Error).message}\n${USAGE}`)
    process.exit(2)
  }
}

async function main(): Promise<void> {
  const args = argumentsOrExit()
  if (args.help) {
    process.stdout.write(USAGE)
    return
  }
  if (args.model) {
    process.stdout.write(writeModel())
    return
  }
  let current: Arena | undefined
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)
    process.once(signal, () => {
      if (!current) process.exit(code)
      void current.close(true).finally(() => process.exit(code))
    })
  const machine = {
    processors: cpus().length,
    model: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    loadAtStart: Math.round(loadavg()[0]! * 100) / 100,
  }
  say(`${machine.processors} x ${machine.model}, Node ${machine.node}, load ${machine.loadAtStart}`)
  const figures: Figure[] = []
  const profiles: Profile[] = []
  const reports: GoalReport[] = []
  const skipped: string[] = []
  for (const name of args.goals) {
    const busy = await busyPercent()
    const noise = `others took ${busy} % of the processors just before`
    say(`${name} … ${noise}`)
    const { measure, settings } = GOALS[name]!
    const arena = await openArena({
      quick: args.quick,
      say,
      settings: args.profile ? { ...COUNT_STATEMENTS, ...settings } : settings,
    })
    current = arena
    try {
      const report = await measure(arena, args)
      if (busy > NOISY_PERCENT)
        for (const figure of report.figures)
          figure.notes = [`NOISY: ${noise}; run it again on a quiet machine`, ...(figure.notes ?? [])]
      reports.push(report)
      figures.push(...report.figures)
      profiles.push(...(report.profiles ?? []))
      if (report.skipped) skipped.push(`${name} was SKIPPED: ${report.skipped}`)
    } catch (error) {
      // The other goals still run.
      say(error instanceof Error ? (error.stack ?? error.message) : String(error))
      skipped.push(`${name} FAILED: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    } finally {
      await arena.close()
    }
  }
  if (args.json) {
    const judged = figures.map((figure) => ({ ...figure, verdict: verdictOf(figure) }))
    process.stdout.write(
      `${JSON.stringify({ machine, quick: args.quick, figures: judged, profiles, skipped })}\n`,
    )
    return
  }
  const details = new Set(
    figures.flatMap((figure) =>
      [...ledgerLines(figure), ...(figure.notes ?? [])].map((line) => `${figure.goal}  ${line}`),
    ),
  )
  const sections = [
    tableOf(figures),
    [...details].join('\n'),
    waitingLines(figures).join('\n'),
    reports.flatMap(shortText).join('\n'),
    ...profiles.map(profileText),
    ...skipped,
  ]
  process.stdout.write(`${sections.filter((section) => section !== '').join('\n\n')}\n`)
}

main().catch((error: unknown) => {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exit(1)
})
