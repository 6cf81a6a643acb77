/** The work that statements belong to: a request, a batch of requests, or a turn of background work. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { systemClock } from '../../core/clock.ts'
import { newSpanId, type Place } from '../../opentelemetry/places.ts'
import type { Attributes, SpanKind, Tracer } from '../../opentelemetry/port.ts'
import { realNowMs } from './real-now.ts'

/** A statement, or the transaction with it. Monotonic times in milliseconds. */
export type Part = {
  name: string
  kind: SpanKind
  startMs: number
  endMs: number
  attributes: Attributes
  error: string | undefined
  /** The transaction of a statement. */
  parent: Part | undefined
}

/** Work in progress. Its parts are kept until it ends, because only then it is known whether they are exported. */
export type TracedWork = {
  kind: 'request' | 'batch' | 'turn'
  /** Monotonic, in milliseconds. */
  startMs: number
  /** The difference between real and monotonic time when the work started. */
  offsetMs: number
  parts: Part[]
  droppedParts: number
  /** The messages that its committed transactions queued. */
  messageIds: string[]
  hasEnded: boolean
}

/** Returns the work that the running code belongs to. */
export type CurrentWork = AsyncLocalStorage<TracedWork | undefined>
export const createCurrentWork = (): CurrentWork => new AsyncLocalStorage()

export const monotonicMs = systemClock.monotonicMs
/** Maximum parts of one work: further ones are counted. */
const MAX_PARTS = 100

export function beginWork<Kind extends TracedWork['kind']>(kind: Kind): TracedWork & { kind: Kind } {
  const startMs = monotonicMs()
  return {
    kind,
    startMs,
    offsetMs: realNowMs() - startMs,
    parts: [],
    droppedParts: 0,
    messageIds: [],
    hasEnded: false,
  }
}

/** Adds a part that starts now. A part of work that has ended is dropped. */
export function beginPart(
  work: TracedWork,
  part: Pick<Part, 'name' | 'kind' | 'attributes' | 'parent'>,
): Part {
  const startMs = monotonicMs()
  const added: Part = { ...part, startMs, endMs: startMs, error: undefined }
  if (work.hasEnded || work.parts.length >= MAX_PARTS) work.droppedParts++
  else work.parts.push(added)
  return added
}

const typeOf = (error: unknown): string => {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown'
}

/** Runs `run` as a part of the work. */
export async function asPart<Result>(
  work: TracedWork,
  part: Pick<Part, 'name' | 'kind' | 'attributes' | 'parent'>,
  run: (part: Part) => Promise<Result>,
): Promise<Result> {
  const added = beginPart(work, part)
  try {
    return await run(added)
  } catch (error) {
    added.error = typeOf(error)
    throw error
  } finally {
    added.endMs = monotonicMs()
  }
}

/** Returns the attribute of a span whose parts are not all exported. */
export const droppedParts = (work: TracedWork): Attributes =>
  work.droppedParts === 0 ? {} : { 'parley.dropped_parts': work.droppedParts }

/** Ends the work and exports its parts as children of the span at `place`. */
export function endParts(tracer: Tracer, work: TracedWork, place: Place): void {
  const ids = new Map<Part, string>()
  for (const part of work.parts) {
    const spanId = newSpanId()
    ids.set(part, spanId)
    tracer.end({
      name: part.name,
      kind: part.kind,
      place: { traceId: place.traceId, spanId },
      parentId: (part.parent && ids.get(part.parent)) ?? place.spanId,
      startMs: part.startMs + work.offsetMs,
      endMs: part.endMs + work.offsetMs,
      attributes: part.attributes,
      error: part.error,
    })
  }
}
