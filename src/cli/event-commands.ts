// Events for developers: commands that forward, show, create, and resend them.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { isUuid7 } from '../core/ids.ts'
import { newWebhookSecret } from '../core/values/webhook-secret.ts'
import { type CommandContext, command, type Flag, UsageError } from './command.ts'
import { between, count, required, secret, switchFlag, text, webAddress } from './flags.ts'
import { type Api, openApi, remoteFlags } from './remote/api.ts'
import {
  BEGINNING,
  type Following,
  followEvents,
  type LoggedEvent,
  readNewestPlace,
} from './remote/follow-events.ts'
import { forwardEvent } from './remote/forward.ts'
import { readListenState, writeListenState } from './remote/listen-state.ts'

const ATTEMPTS_DEFAULT = 3
const TAIL_DEFAULT = 20
const MAX_TAIL = 100

const names: Flag<Set<string>> = {
  placeholder: 'a,b',
  parse: (input) => new Set(input.split(',').map((name) => name.trim())),
}

const start: Flag<string> = {
  placeholder: 'now|beginning|EVENT_ID',
  parse(input) {
    if (input !== 'now' && input !== 'beginning' && !isUuid7(input))
      throw new UsageError(`Must be now, beginning, or an event id, not "${input}".`)
    return input
  },
}

const jsonObject: Flag<object> = {
  placeholder: 'JSON',
  parse(input) {
    try {
      const value: unknown = JSON.parse(input)
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
    } catch {}
    throw new UsageError('Must be a JSON object.')
  },
}

/** Follows events in the background until the person stops it; a refusal by the server ends it with exit code 1. */
function followInBackground(
  context: CommandContext,
  following: Omit<Following, 'stopped' | 'say'>,
  stop: AbortController,
): void {
  const done = followEvents({ ...following, say: context.say, stopped: stop.signal }).catch(
    (fault: unknown) => {
      context.say(`error: ${fault instanceof Error ? fault.message : String(fault)}`)
      process.exitCode = 1
    },
  )
  context.stayUntilStopped(async () => {
    stop.abort()
    await done
  })
}

/** Refuses event names that the server doesn't have: no such event would ever arrive. */
async function requireKnown(api: Api, names: Set<string> | undefined): Promise<void> {
  if (names === undefined) return
  const { body } = await api.get('/webhooks/events')
  const knownNames = new Set<string>(body.events.map(({ event }: { event: string }) => event))
  const unknown = [...names].filter((name) => !knownNames.has(name))
  if (unknown.length > 0)
    throw new UsageError(
      `--events: Unknown event "${unknown.join('", "')}". Known events: ${[...knownNames].join(', ')}.`,
    )
}

const placeOf = (from: string, api: Api) => {
  if (from === 'now') return readNewestPlace(api)
  return from === 'beginning' ? BEGINNING : from.toLowerCase()
}

const listen = command({
  name: 'listen',
  summary:
    'Forward events to a program on this machine as signed webhook deliveries, without a public address. Continues where it stopped.',
  flags: {
    forward: required(webAddress),
    ...remoteFlags,
    events: names,
    from: start,
    attempts: between(1, 100),
    cursor: text('FILE'),
    secret: secret('whsec_...'),
  },
  async run({ forward, events, from, cursor, attempts = ATTEMPTS_DEFAULT, ...flags }, context) {
    const api = openApi(flags, context)
    await requireKnown(api, events)
    const file =
      cursor ?? join(context.config().dataDir, 'listen', `${nameOf(api.base, api.key, forward)}.json`)
    const savedState = readListenState(file)
    const secret = flags.secret ?? savedState?.secret ?? newWebhookSecret()
    const place = from === undefined && savedState ? savedState.after : await placeOf(from ?? 'now', api)
    // The server must answer before events are forwarded, so that a wrong key stops the command immediately.
    await api.get('/events?limit=1')
    writeListenState(file, place, secret)
    const stop = new AbortController()
    const forwarding = { url: forward, secret, attempts, say: context.say, stopped: stop.signal }
    const handle = async (event: LoggedEvent) => {
      if (events === undefined || events.has(event.event)) await forwardEvent(event, forwarding)
    }
    followInBackground(
      context,
      { api, place, handle, save: (now) => writeListenState(file, now, secret) },
      stop,
    )
    return {
      server: api.base,
      forward,
      secret,
      cursor: file,
      resumed: from === undefined && savedState !== undefined,
    }
  },
})

const nameOf = (...parts: string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16)

const tail = command({
  name: 'events tail',
  summary: 'Show the latest events, one per line. --follow waits for new ones.',
  flags: { ...remoteFlags, events: names, limit: count, follow: switchFlag },
  async run({ events, limit = TAIL_DEFAULT, follow, ...flags }, context) {
    if (limit < 1 || limit > MAX_TAIL)
      throw new UsageError(`--limit: Must be a whole number from 1 to ${MAX_TAIL}.`)
    const api = openApi(flags, context)
    await requireKnown(api, events)
    const isSelected = (event: LoggedEvent) => events === undefined || events.has(event.event)
    const filter = events === undefined ? '' : `&events=${encodeURIComponent([...events].join(','))}`
    const { body } = await api.get(`/events?limit=${limit}${filter}`)
    const latest: LoggedEvent[] = body.events.reverse()
    if (follow) {
      const shown = new Set(latest.map(({ id }) => id))
      const handle = async (event: LoggedEvent) => {
        if (isSelected(event) && !shown.has(event.id))
          context.print(context.json ? JSON.stringify(event) : lineOf(event))
      }
      followInBackground(
        context,
        { api, place: body.resumeAfter ?? BEGINNING, handle, save: () => {} },
        new AbortController(),
      )
    }
    return { events: latest }
  },
})

const lineOf = ({ id, event, createdAt, data }: LoggedEvent): string =>
  `${createdAt}  ${event}  ${id}  ${JSON.stringify(data)}`

const trigger = command({
  name: 'trigger',
  operand: 'EVENT',
  summary:
    'Trigger an event in a sandbox with its documented example. --data replaces fields of the example.',
  flags: { ...remoteFlags, data: jsonObject },
  run: async ({ operand, data = {}, ...flags }, context) =>
    (await openApi(flags, context).post('/sandbox/events', { event: operand, data })).body,
})

const resend = command({
  name: 'resend',
  operand: 'DELIVERY',
  summary: 'Send a logged webhook delivery again.',
  flags: remoteFlags,
  run: async ({ operand, ...flags }, context) =>
    (await openApi(flags, context).post(`/webhooks/deliveries/${encodeURIComponent(operand)}/redeliver`))
      .body,
})

/** Commands that call a running server with a key. */
export const eventCommands = [listen, tail, trigger, resend]
