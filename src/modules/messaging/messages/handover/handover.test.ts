/** The hand-over to the operator: pace, order, pauses by class of error, and the state of numbers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  boot,
  clientOf,
  SECRET_KEY,
  type TestParley,
  type TestWorkspace,
} from '../../../../../test/support/boot.ts'
import {
  type Answering,
  accept,
  addCloudNumber,
  type CloudNumber,
  type CloudShop,
  cloudShop,
  numberIn,
  refuseWith,
  standInOperator,
  type Taken,
} from '../../../../../test/support/stand-in-operator.ts'
import { until } from '../../../../../test/support/until.ts'
import { createSealer } from '../../../../core/sealing.ts'
import { setPhoneNumber } from '../../../platform/workspaces/operations/number-credentials.ts'

let operator: Awaited<ReturnType<typeof standInOperator>>
let parley: TestParley
beforeAll(async () => {
  operator = await standInOperator()
  parley = await boot({ env: operator.env })
})
afterAll(async () => {
  await parley?.close()
  await operator?.close()
})

/** Tolerance for waits: each measure compares two clocks. */
const EARLY_MS = 50
const customer = (i: number): string => `+9198${String(10_000_000 + i)}`
const customers = (count: number): string[] => Array.from({ length: count }, (_, i) => customer(i))

/**
 * Expects a rate of 20 a second: a minimum total time, and no second with many more. Delays on a busy machine
 * cause bursts; without a pace, all messages would arrive in less than a second.
 */
function expectPace(calls: Taken[], atLeastMs: number): void {
  const times = calls.map((call) => call.atMs)
  for (const time of times)
    expect(times.filter((other) => other >= time && other - time < 1_000).length).toBeLessThanOrEqual(32)
  expect(times.at(-1)! - times[0]!).toBeGreaterThan(atLeastMs)
}

/** Creates a shop with its own number at the operator, so that tests can run in parallel. */
async function opened() {
  const shop: CloudShop<TestWorkspace> = await cloudShop(parley)
  const send = async (to: string, text: string, overrides: object = {}): Promise<string> => {
    const answer = await shop.post('/send', { to, type: 'text', text, ...overrides })
    expect(answer.status, answer.text).toBe(200)
    return answer.body.messageId
  }
  const messageOf = async (id: string) => (await shop.get(`/messages/${id}`)).body.message
  /** Returns the messages that the operator received from the shop's number. */
  const arrived = (number = shop.operatorId) =>
    operator.taken.filter((call) => numberIn(call.request.url) === number)
  return {
    shop,
    answer: (answering: Answering) => operator.answerFor(shop.operatorId, answering),
    /** Opens the windows of all these customers in one request. */
    welcome: (phones: string[]) => shop.writesAll(phones),
    send,
    messageOf,
    settles: (id: string, status: string) =>
      until(async () => {
        const message = await messageOf(id)
        return message.status === status && message
      }, `the message is ${status}`),
    arrived,
    textsTo: (to: string): string[] =>
      arrived()
        .filter((call) => call.body.to === to)
        .map((call) => call.body.text.body),
    numberOf: async (id = shop.cloudNumberId) =>
      (await shop.get('/phone-numbers')).body.phoneNumbers.find(
        (phoneNumber: { id: string }) => phoneNumber.id === id,
      ),
    setNumber: (patch: Parameters<typeof setPhoneNumber>[2]) =>
      parley.system((tx) =>
        setPhoneNumber(
          tx,
          { phoneNumberId: shop.cloudNumberId },
          patch,
          new Date(),
          createSealer(SECRET_KEY),
        ),
      ),
    /** Simulates that the number's next check is due. */
    checkNow: async () => {
      await parley.system((tx) =>
        tx.sql('update number_lanes set check_due_at = $2 where workspace_id = $1', [
          shop.workspaceId,
          new Date(),
        ]),
      )
      parley.wake()
    },
  }
}

describe.concurrent('pace', () => {
  test("a number's messages keep its throughput in every second, and use it", async () => {
    const { welcome, send, arrived, setNumber } = await opened()
    await setNumber({ throughput: 20 })
    const recipients = customers(50)
    await welcome(recipients)
    await Promise.all(recipients.map((to) => send(to, 'Hi')))
    await until(() => arrived().length === 50, 'all messages have arrived')
    expectPace(arrived(), 2_200)
  })

  test('a number that the business also uses in the phone app takes 20 messages a second', async () => {
    const { shop, numberOf, checkNow } = await opened()
    expect((await numberOf()).throughput).toBe(80)
    await shop.operatorSaysOf('smb_message_echoes', {
      message_echoes: [
        {
          from: '15550000000',
          to: customer(0).slice(1),
          id: `wamid.${shop.workspaceId}`,
          timestamp: String(Math.floor(Date.now() / 1000)),
          type: 'text',
          text: { body: 'From the phone' },
        },
      ],
    })
    await until(async () => (await numberOf()).throughput === 20, 'the pace is known')
    operator.saysOfNumber(shop.operatorId, 200, {
      status: 'CONNECTED',
      throughput: { level: 'STANDARD' },
      quality_rating: 'GREEN',
    })
    await checkNow()
    await until(async () => (await numberOf()).quality === 'green', 'the number was checked')
    expect((await numberOf()).throughput).toBe(20)
  })

  test('a recipient gets 45 messages immediately, in order, and then one every six seconds; others do not wait', async () => {
    const { welcome, send, arrived, textsTo } = await opened()
    const [busy, other] = customers(2) as [string, string]
    await welcome([busy, other])
    const ids: string[] = []
    for (let i = 0; i < 48; i++) ids.push(await send(busy, String(i)))
    await until(() => textsTo(busy).length >= 45, 'the first 45 messages have arrived')
    await send(other, 'Hi')
    // 45, or more if sending took so long that six seconds have passed.
    const before = textsTo(busy).length
    await until(() => textsTo(busy).length > before, 'the next message has arrived')
    const to = arrived().map((call) => call.body.to)
    expect(to.indexOf(other), 'the other one got theirs meanwhile').toBeLessThan(before + 1)
    expect(textsTo(busy).slice(0, 46)).toEqual(Array.from({ length: 46 }, (_, i) => String(i)))
    const times = arrived().flatMap((call) => (call.body.to === busy ? [call.atMs] : []))
    expect(times[45]! - times[0]!).toBeGreaterThan(6_000 - EARLY_MS)
  })

  test('a message that has to be tried again is not overtaken by the next message to the same customer', async () => {
    const { answer, welcome, send, arrived, textsTo } = await opened()
    const [retried, other] = customers(2) as [string, string]
    await welcome([retried, other])
    let failures = 0
    answer((call) =>
      call.body.text.body === 'first' && failures++ === 0
        ? refuseWith(500, { code: 131000, message: 'Something went wrong' })(call)
        : accept(call),
    )
    await send(retried, 'first')
    await send(retried, 'second')
    await send(other, 'third')
    await until(() => arrived().length === 4, 'all messages have arrived')
    expect(textsTo(retried)).toEqual(['first', 'first', 'second'])
    expect(textsTo(other)).toEqual(['third'])
  })
})

describe.concurrent('one number never delays another', () => {
  /** Creates a second number from which the shop can write to all customers. */
  const addSecondNumber = async (
    { shop, send, arrived }: Awaited<ReturnType<typeof opened>>,
    recipients: string[],
  ) => {
    const healthyNumber = await addCloudNumber(parley, shop.workspaceId)
    await shop.writesAll(recipients, healthyNumber)
    return {
      sendsToAll: async () => {
        await Promise.all(
          recipients.map((to) => send(to, 'sound', { phoneNumberId: healthyNumber.phoneNumberId })),
        )
        await until(
          () => arrived(healthyNumber.operatorId).length === recipients.length,
          'all messages of the healthy number have arrived',
          10_000,
        )
        for (const { response } of arrived()) response.destroy()
      },
    }
  }

  test.each([
    ['that hangs', () => {}],
    ['that is throttled', refuseWith(400, { code: 130429, message: 'Rate limit hit' })],
    ['whose token is invalid', refuseWith(401, { code: 190, message: 'Expired' })],
  ])('%s', async (_, trouble) => {
    const setup = await opened()
    const { shop, answer, welcome, arrived } = setup
    const recipients = customers(40)
    await welcome(recipients)
    const healthyNumber = await addSecondNumber(setup, recipients)
    answer(trouble)
    // Parley may reject some of these because the first message has already failed.
    await Promise.all(
      recipients.map((to) =>
        shop.post('/send', { to, type: 'text', text: 'stuck', phoneNumberId: shop.cloudNumberId }),
      ),
    )
    await until(() => arrived().length > 0, 'the number is failing')
    await healthyNumber.sendsToAll()
  })

  test('when the operator hangs under a wide lane: the lane keeps only its own places, and no other number waits for a connection', async () => {
    const setup = await opened()
    const { answer, welcome, send, arrived, messageOf } = setup
    const recipients = customers(80)
    await welcome(recipients)
    const healthyNumber = await addSecondNumber(setup, recipients)
    const ids = await Promise.all(recipients.slice(0, 20).map((to) => send(to, 'goes well')))
    await until(async () => {
      const messages = await Promise.all(ids.map(messageOf))
      return messages.every(({ chanmid }) => chanmid !== null)
    }, 'the calls succeeded')
    answer(() => {})
    await Promise.all(recipients.map((to) => send(to, 'stuck')))
    await until(() => arrived().length === 100, 'all calls of the lane hang', 10_000)
    await healthyNumber.sendsToAll()
  })
})

describe.concurrent('the answers of the operator', () => {
  test('130429 and 80007 pause the number, exponentially; Retry-After is honoured', async () => {
    const { answer, welcome, send, messageOf, arrived, numberOf } = await opened()
    await welcome([customer(0)])
    answer((call) =>
      arrived().length <= 3
        ? refuseWith(400, { code: 80007, message: 'Rate limit issues' })(call)
        : accept(call),
    )
    const id = await send(customer(0), 'Hi')
    await until(() => arrived().length === 4, 'the message was sent in the end')
    const times = arrived().map((call) => call.atMs)
    for (const [i, seconds] of [1, 2, 4].entries())
      expect(times[i + 1]! - times[i]!).toBeGreaterThan(seconds * 1000 - EARLY_MS)
    expect((await messageOf(id)).status).toBe('queued')
    expect((await numberOf()).state).toBe('active')
  })

  test('131056 holds back one recipient, not the others', async () => {
    const { answer, welcome, send, messageOf, arrived, textsTo } = await opened()
    const [busy, other] = customers(2) as [string, string]
    await welcome([busy, other])
    answer((call) =>
      call.body.to === busy && textsTo(busy).length === 1
        ? refuseWith(400, { code: 131056, message: 'pair rate limit hit' })(call)
        : accept(call),
    )
    await send(busy, 'first')
    await send(busy, 'second')
    const healthy = await send(other, 'Hi')
    await until(async () => (await messageOf(healthy)).chanmid !== null, 'the other customer got the message')
    await until(() => textsTo(busy).length === 3, 'the recipient got both messages')
    expect(textsTo(busy)).toEqual(['first', 'first', 'second'])
    const [first, second] = arrived().filter((call) => call.body.to === busy)
    expect(second!.atMs - first!.atMs).toBeGreaterThan(4_000 - EARLY_MS)
  })

  test('131048 pauses the number for hours, and GET /phone-numbers says until when', async () => {
    const { answer, welcome, send, messageOf, arrived, numberOf } = await opened()
    await welcome(customers(2))
    answer(refuseWith(400, { code: 131048, message: 'Spam rate limit hit' }))
    const id = await send(customer(0), 'Hi')
    const number = await until(async () => {
      const shown = await numberOf()
      return shown.pausedUntil !== null && shown
    }, 'the number is paused')
    expect(Date.parse(number.pausedUntil) - Date.now()).toBeGreaterThan(55 * 60_000)
    expect(number).toMatchObject({ state: 'active', pauseReason: 'Spam rate limit hit' })
    answer(accept)
    await send(customer(1), 'Hi')
    expect(arrived()).toHaveLength(1)
    expect((await messageOf(id)).status).toBe('queued')
  })

  test('a transient fault is tried again after 1 and 5 seconds, or at the time that the operator names', async () => {
    const { answer, welcome, send, messageOf, arrived, textsTo } = await opened()
    const [failing, other] = customers(2) as [string, string]
    await welcome([failing, other])
    answer((call) => {
      const fault = { code: 131016, message: 'Service unavailable' }
      if (call.body.to === other)
        return textsTo(other).length === 1
          ? refuseWith(503, fault, { 'retry-after': '3' })(call)
          : accept(call)
      return textsTo(failing).length < 3 ? refuseWith(500, fault)(call) : accept(call)
    })
    const ids = [await send(failing, 'Hi'), await send(other, 'Hi')]
    await until(
      async () => (await Promise.all(ids.map(messageOf))).every(({ chanmid }) => chanmid),
      'the messages were sent',
    )
    const expectWaits = (to: string, seconds: number[]): void => {
      const times = arrived().flatMap((call) => (call.body.to === to ? [call.atMs] : []))
      expect(times).toHaveLength(seconds.length + 1)
      for (const [i, wait] of seconds.entries())
        expect(times[i + 1]! - times[i]!).toBeGreaterThan(wait * 1000 - EARLY_MS)
    }
    expectWaits(failing, [1, 5])
    expectWaits(other, [3])
  })

  test.each([132069, 134101])(
    "%i is about the message's content: its number does not pause",
    async (code) => {
      const { answer, welcome, send, arrived, messageOf, numberOf } = await opened()
      await welcome(customers(6))
      answer((call) =>
        call.body.text.body === 'Not yet'
          ? refuseWith(400, { code, message: 'Not yet' })(call)
          : accept(call),
      )
      for (const to of customers(5)) await send(to, 'Not yet')
      await until(() => arrived().length >= 10, 'all messages were tried again')
      const other = await send(customer(5), 'Hi')
      await until(async () => (await messageOf(other)).chanmid !== null, 'the other customer got the message')
      expect(await numberOf()).toMatchObject({ pausedUntil: null, pauseReason: null })
    },
  )

  test('an operator that stops answering affects few messages: the number pauses after the third fault in a row', async () => {
    const { answer, welcome, send, arrived, numberOf } = await opened()
    const recipients = customers(60)
    await welcome(recipients)
    answer(({ request }) => {
      request.socket.destroy()
    })
    await Promise.all(recipients.map((to) => send(to, 'Hi')))
    await until(async () => (await numberOf()).pausedUntil !== null, 'the number pauses')
    expect(arrived().length).toBeLessThan(15)
  })
})

test.each([
  [401, 'text/html', '<html>Sign in to the network</html>'],
  [403, 'application/json', '{"error":{"message":"Forbidden"}}'],
  [302, 'text/plain', ''],
])(
  '%i from a proxy in front of the operator (%s) is not about the token: waiting messages go out after it',
  async (status, type, page) => {
    const { answer, welcome, send, messageOf, arrived, numberOf } = await opened()
    await welcome(customers(2))
    answer((call) => {
      if (arrived().length > 1) return accept(call)
      call.response.writeHead(status, { 'content-type': type }).end(page)
    })
    const ids = [await send(customer(0), 'First')]
    await until(
      async () => (await numberOf()).pausedUntil !== null || arrived().length > 1,
      'the number paused, or another message arrived',
    )
    expect((await numberOf()).state).toBe('active')
    ids.push(await send(customer(1), 'Second'))
    await until(
      async () => (await Promise.all(ids.map(messageOf))).every(({ chanmid }) => chanmid !== null),
      'both messages were sent',
    )
  },
)

describe.concurrent('a connection that is broken', () => {
  test.each([
    [190, 401],
    [10, 400],
    [131005, 403],
  ])(
    '%i marks the number, holds its waiting messages, and rejects new sends until the token is replaced',
    async (code, status) => {
      const { shop, answer, welcome, send, messageOf, numberOf, setNumber } = await opened()
      await welcome([customer(0)])
      answer((call) =>
        call.request.headers.authorization === 'Bearer renewed'
          ? accept(call)
          : refuseWith(status, { code, message: 'Access token has expired' })(call),
      )
      const id = await send(customer(0), 'Hi')
      await until(async () => (await numberOf()).state === 'disconnected', 'the number is marked')
      expect(await numberOf()).toMatchObject({ stateReason: 'Access token has expired' })
      expect(await shop.post('/send', { to: customer(0), type: 'text', text: 'No' })).toMatchObject({
        status: 409,
        body: { error: 'sending_blocked' },
      })
      expect((await messageOf(id)).status).toBe('queued')
      await setNumber({ token: 'renewed' })
      await until(async () => (await messageOf(id)).chanmid !== null, 'the waiting messages were sent')
      expect(await numberOf()).toMatchObject({ state: 'active', stateReason: null })
    },
  )

  test('a permission that one message lacks fails it, and delays the others by one check at most', async () => {
    const { answer, welcome, send, messageOf, settles, numberOf, checkNow } = await opened()
    await welcome(customers(2))
    answer((call) =>
      call.body.to === customer(0)
        ? refuseWith(403, { code: 131005, message: '(#131005) Access denied' })(call)
        : accept(call),
    )
    const lacking = await send(customer(0), 'Lacks it')
    await until(async () => (await numberOf()).state === 'disconnected', 'the number is marked')
    expect((await messageOf(lacking)).status).toBe('queued')
    await checkNow()
    expect((await settles(lacking, 'failed')).error).toMatchObject({ code: 131005, permanent: true })
    expect((await numberOf()).state).toBe('active')
    const other = await send(customer(1), 'Has it')
    await until(async () => (await messageOf(other)).chanmid !== null, 'the other message was sent')
  })

  test('a token that was repaired elsewhere is found by asking the operator', async () => {
    const { shop, answer, welcome, send, messageOf, numberOf, checkNow } = await opened()
    await welcome([customer(0)])
    answer(refuseWith(401, { code: 190, message: 'Access token has expired' }))
    const id = await send(customer(0), 'Hi')
    await until(async () => (await numberOf()).state === 'disconnected', 'the number is marked')
    answer(accept)
    operator.saysOfNumber(shop.operatorId, 401, { error: { code: 190, message: 'Still expired' } })
    await checkNow()
    await until(async () => (await numberOf()).stateReason === 'Still expired', 'the number was checked')
    operator.saysOfNumber(shop.operatorId, 200, {
      status: 'CONNECTED',
      quality_rating: 'YELLOW',
      throughput: { level: 'HIGH' },
      whatsapp_business_manager_messaging_limit: 'TIER_10K',
    })
    await checkNow()
    await until(async () => (await messageOf(id)).chanmid !== null, 'the waiting messages were sent')
    expect(await numberOf()).toMatchObject({
      state: 'active',
      quality: 'yellow',
      throughput: 1000,
      messagingLimit: 'TIER_10K',
    })
  })
})

describe.concurrent('a number that the operator blocks', () => {
  /** Gives each row its own number, so that the operator is asked about all of them in parallel. */
  const withNumbers = async <Row>(
    shop: CloudShop<TestWorkspace>,
    rows: Row[],
  ): Promise<Map<string, { row: Row; number: CloudNumber }>> => {
    const numbers = new Map<string, { row: Row; number: CloudNumber }>()
    for (const row of rows) {
      const number = await addCloudNumber(parley, shop.workspaceId)
      numbers.set(number.operatorId, { row, number })
    }
    return numbers
  }

  test('its state gives the reason; the message fails, later sends fail with 409, and the number recovers without help', async () => {
    const { shop, send, settles, numberOf, checkNow } = await opened()
    const numbers = await withNumbers(shop, [
      { code: 131031, state: 'number_banned' },
      ...[368, 130497, 131042, 131037, 131045, 133010].map((code) => ({ code, state: 'sending_blocked' })),
    ])
    await Promise.all([...numbers.values()].map(({ number }) => shop.writesAll(customers(2), number)))
    for (const [operatorId, { row }] of numbers)
      operator.answerFor(operatorId, refuseWith(403, { code: row.code, message: 'Not from this number' }))
    for (const { row, number } of numbers.values()) {
      const { phoneNumberId } = number
      const id = await send(customer(0), 'Hi', { phoneNumberId })
      expect((await settles(id, 'failed')).error).toMatchObject({ code: row.code })
      await until(async () => (await numberOf(phoneNumberId)).state === row.state, 'the number is marked')
      expect(await numberOf(phoneNumberId)).toMatchObject({ stateReason: 'Not from this number' })
      expect(
        await shop.post('/send', { to: customer(1), type: 'text', text: 'No', phoneNumberId }),
      ).toMatchObject({ status: 409, body: { error: row.state } })
    }
    for (const operatorId of numbers.keys()) operator.answerFor(operatorId, accept)
    await checkNow()
    for (const { phoneNumberId } of [...numbers.values()].map(({ number }) => number)) {
      await until(
        async () => (await numberOf(phoneNumberId)).state === 'active',
        'the number is active again',
      )
      await send(customer(1), 'Yes', { phoneNumberId })
    }
  })

  test('the operator returns the state of a number when asked', async () => {
    const { shop, numberOf, checkNow } = await opened()
    const numbers = await withNumbers(shop, [
      { status: 'BANNED', health: {}, state: 'number_banned' },
      { status: 'RESTRICTED', health: { can_send_message: 'BLOCKED' }, state: 'sending_blocked' },
      { status: 'CONNECTED', health: { can_send_message: 'BLOCKED' }, state: 'sending_blocked' },
      { status: 'FLAGGED', health: { can_send_message: 'LIMITED' }, state: 'active' },
    ])
    const entity = {
      entity_type: 'WABA',
      can_send_message: 'BLOCKED',
      errors: [{ error_code: 141006, error_description: 'No payment method.' }],
    }
    for (const [operatorId, { row }] of numbers)
      operator.saysOfNumber(operatorId, 200, {
        status: row.status,
        quality_rating: 'RED',
        health_status: { ...row.health, entities: [entity] },
      })
    await checkNow()
    for (const { row, number } of numbers.values()) {
      const shown = await until(async () => {
        const checked = await numberOf(number.phoneNumberId)
        return checked.quality === 'red' && checked.state === row.state && checked
      }, 'the number was checked')
      expect(shown).toMatchObject({
        state: row.state,
        stateReason: row.state === 'active' ? null : 'No payment method.',
      })
    }
  })
})

// Runs alone: the second process would take over numbers of other tests, and release them again.
test('two processes together keep the pace of a number and the order of a recipient', async () => {
  const { shop, welcome, send, arrived, textsTo, setNumber } = await opened()
  await setNumber({ throughput: 20 })
  const recipients = customers(10)
  await welcome(recipients)
  const duplicate = await boot({ env: operator.env, databaseUrl: parley.databaseUrl })
  const entrances = [shop, clientOf(duplicate.url, shop.key)]
  try {
    for (let i = 0; i < 6; i++)
      await Promise.all(
        recipients.map((to, n) =>
          entrances[(i + n) % 2]!.post('/send', { to, type: 'text', text: String(i) }),
        ),
      )
    await until(() => arrived().length === 60, 'all messages have arrived')
    expectPace(arrived(), 2_700)
    for (const to of recipients) expect(textsTo(to)).toEqual(['0', '1', '2', '3', '4', '5'])
    // The process that holds the lane stops: the other continues before the lane's lease expires.
    await duplicate.close()
    await send(recipients[0]!, 'last')
    await until(() => arrived().length === 61, 'the other number continues', 8_000)
  } finally {
    await duplicate.close().catch(() => {})
  }
})

describe.concurrent('a message whose outcome is unknown when its number stops sending', () => {
  test.each([
    ['is banned', 403, 131031],
    ['has to pause for hours', 400, 131048],
  ])('reaches a final state anyway: the number %s', async (_what, status, code) => {
    const { shop, answer, welcome, send, settles, numberOf, arrived } = await opened()
    await welcome(customers(2))
    answer(({ request }) => {
      request.socket.destroy()
    })
    const lostId = await send(customer(0), 'Hi')
    await until(() => arrived().length === 1, 'the operator has it')
    answer(refuseWith(status, { code, message: 'Not from this number' }))
    await send(customer(1), 'Hi')
    await until(async () => {
      const { state, pausedUntil } = await numberOf()
      return state !== 'active' || Date.parse(pausedUntil) - Date.now() > 50 * 60_000
    }, 'the number sends nothing')
    // Simulates that the time to wait for a receipt has passed.
    await parley.system((tx) =>
      tx.sql(
        `update messages set leased_until = leased_until - interval '2 minutes'
         where workspace_id = $1 and leased_until is not null`,
        [shop.workspaceId],
      ),
    )
    parley.wake()
    expect((await settles(lostId, 'failed')).error).toMatchObject({ title: 'Unconfirmed' })
    expect(arrived()).toHaveLength(2)
  })
})

// Runs last and alone: it restarts the service.
test('a message that has waited for 24 hours fails with an error that gives the reason', async () => {
  const { shop, answer, welcome, send, settles, numberOf } = await opened()
  await welcome([customer(0)])
  answer(refuseWith(401, { code: 190, message: 'Access token has expired' }))
  const id = await send(customer(0), 'Hi')
  await until(async () => (await numberOf()).state === 'disconnected', 'the number is marked')
  // Only messages that wait again: a message that is still being put back gets its time later.
  const putBack = () =>
    parley.system((tx) =>
      tx.sql(
        `update messages set run_at = run_at - interval '25 hours'
         where workspace_id = $1 and id = $2 and leased_until is null returning id`,
        [shop.workspaceId, id],
      ),
    )
  await until(async () => (await putBack()).length === 1, 'the message waits again')
  await parley.restart()
  const message = await settles(id, 'failed')
  expect(message.error).toMatchObject({ title: 'Number not connected', retryable: true })
  expect(message.error.message).toContain('Access token has expired')
})
