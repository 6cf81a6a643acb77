/**
 * The model of retries, from spec 4.1.1 and the clarifications on idempotency: a shop with two customers and
 * its stored answers.
 */
export const DAY_MS = 86_400_000

export const REQUESTS = [
  'capture Asha',
  // The same content in different bytes.
  'capture Asha, spaced',
  'capture Zoya',
  'rate Asha 3',
  'rate Asha 4',
  'note on Asha',
  'opt Asha in',
  'write to Asha',
  'erase Asha',
  'move the clock',
  'capture nobody',
] as const
export type Request = (typeof REQUESTS)[number]

export const ASHA = '+919812300001'
export const ZOYA = '+919812300002'

const capture = (phone: string) => JSON.stringify({ phone })
const asha = encodeURIComponent(ASHA)

/** Method, path, and bytes of each request. */
export const SENT: Record<Request, [method: string, path: string, body?: string]> = {
  'capture Asha': ['POST', '/leads', capture(ASHA)],
  'capture Asha, spaced': ['POST', '/leads', `${capture(ASHA)} `],
  'capture Zoya': ['POST', '/leads', capture(ZOYA)],
  'rate Asha 3': ['PATCH', `/leads/${asha}`, '{"rating":3}'],
  'rate Asha 4': ['PATCH', `/leads/${asha}`, '{"rating":4}'],
  'note on Asha': ['POST', `/leads/${asha}/notes`, '{"body":"Likes blue."}'],
  'opt Asha in': ['PATCH', `/contacts/${asha}`, '{"optInStatus":"opted_in"}'],
  'write to Asha': ['POST', '/send', JSON.stringify({ to: ASHA, type: 'text', text: 'Hello' })],
  'erase Asha': ['DELETE', `/contacts/${asha}`],
  'move the clock': ['POST', '/sandbox/clock', '{"advanceSeconds":21600}'],
  'capture nobody': ['POST', '/leads', capture('nobody')],
}

type Customer = {
  /** The number of times that the customer was captured as a lead; 0: no lead. */
  captures: number
  rating: number
  notes: number
  /** The customer sent STOP. */
  refused: boolean
  windowEndsAt: number
  written: number
}
type Answer = { request: Request; status: number; text: string; storedAt: number }

export type RetriesModel = {
  now: number
  max: number
  customers: Map<string, Customer>
  /** By API key and idempotency key. */
  remembered: Map<string, Answer>
}

/** The expected answer of a request that is carried out; `error` for refusals. */
export type Outcome = { status: number; error?: string; captureCount?: number }

const beginCustomer = (): Customer => ({
  captures: 0,
  rating: 0,
  notes: 0,
  refused: false,
  windowEndsAt: 0,
  written: 0,
})

const NOT_FOUND: Outcome = { status: 404, error: 'not_found' }

function captureLead(model: RetriesModel, phone: string): Outcome {
  const customer = model.customers.get(phone) ?? beginCustomer()
  if (!model.customers.has(phone)) {
    if (model.customers.size >= model.max) return { status: 402, error: 'plan_limit_reached' }
    model.customers.set(phone, customer)
  }
  customer.captures++
  return { status: customer.captures === 1 ? 201 : 200, captureCount: customer.captures }
}

/** Applies a request to the model; returns the expected answer. */
export function carryOut(model: RetriesModel, request: Request): Outcome {
  const customer = model.customers.get(ASHA)
  const lead = customer && customer.captures > 0 ? customer : undefined
  switch (request) {
    case 'capture nobody':
      return { status: 400, error: 'invalid' }
    case 'move the clock':
      model.now += DAY_MS / 4
      return { status: 200 }
    case 'capture Zoya':
      return captureLead(model, ZOYA)
    case 'capture Asha':
    case 'capture Asha, spaced':
      return captureLead(model, ASHA)
    case 'write to Asha':
      // Every send to an opted-out customer gets this refusal (docs/clarifications.md).
      if (customer?.refused) return { status: 409, error: 'contact_opted_out' }
      if (!customer || customer.windowEndsAt <= model.now) return { status: 422, error: 'outside_24h_window' }
      customer.written++
      return { status: 200 }
    case 'erase Asha':
      return model.customers.delete(ASHA) ? { status: 200 } : NOT_FOUND
    case 'opt Asha in':
      if (!customer) return NOT_FOUND
      return customer.refused ? { status: 409, error: 'contact_opted_out' } : { status: 200 }
    case 'rate Asha 3':
    case 'rate Asha 4':
      if (!lead) return NOT_FOUND
      lead.rating = Number(request.at(-1))
      return { status: 200 }
    case 'note on Asha':
      if (!lead) return NOT_FOUND
      lead.notes++
      return { status: 201 }
  }
}

/** Handles Asha's message: creates the customer regardless of the limit. */
export function hear(model: RetriesModel, text: string): void {
  const customer = model.customers.get(ASHA) ?? beginCustomer()
  model.customers.set(ASHA, customer)
  customer.windowEndsAt = model.now + DAY_MS
  if (text === 'STOP') customer.refused = true
  if (text === 'START') customer.refused = false
}

/**
 * Returns whether an answer is stored: results and rule refusals are, but not refusals by validation or a
 * limit (docs/clarifications.md).
 */
export const isRemembered = ({ status }: Outcome): boolean => status !== 400 && status !== 402

/** Returns the answer stored for a key: for 24 hours in the workspace's time. */
export function recall(model: RetriesModel, key: string): Answer | undefined {
  const answer = model.remembered.get(key)
  return answer && model.now < answer.storedAt + DAY_MS ? answer : undefined
}
