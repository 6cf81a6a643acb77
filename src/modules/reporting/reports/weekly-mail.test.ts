/** The weekly mail (DECISIONS.md "The weekly mail"). */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { openMailServer, type TakenMail } from '../../../../test/support/mail-server.ts'
import { type MovingClock, movingClock } from '../../../../test/support/moving-clock.ts'
import { type Browser, DASHBOARD, signIn, signInByLink } from '../../../../test/support/sessions.ts'
import { until } from '../../../../test/support/until.ts'

const ZONE = 'Asia/Kolkata'
const OWNER = 'asha@example.com'

let clock: MovingClock
let server: Awaited<ReturnType<typeof openMailServer>>
let parley: TestParley
/** Another process on the same database. */
let otherProcess: TestParley
let shop: TestWorkspace
let agent: Browser

const local = (): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(clock.now().getTime()).toZonedDateTimeISO(ZONE)
/** Moves the clock to the next time of a weekday; 1 is Monday. */
const goTo = (weekday: number, time: string) => {
  const now = local()
  let goal = now.add({ days: (weekday - now.dayOfWeek + 7) % 7 }).withPlainTime(time)
  if (Temporal.ZonedDateTime.compare(goal, now) <= 0) goal = goal.add({ days: 7 })
  clock.aheadMs += goal.epochMilliseconds - now.epochMilliseconds
}
const plans = (): Promise<{ workspaceId: string; runAt: Date }[]> =>
  parley.system((tx) => tx.sql('select workspace_id, run_at from weekly_mails'))
/** Lets both processes do what is due. */
const work = async () => {
  const isDue = async () =>
    (await plans()).some(({ runAt }) => runAt <= clock.now()) ||
    (await parley.system((tx) => tx.sql('select 1 from account_mails'))).length > 0
  await until(async () => {
    parley.wake()
    otherProcess.wake()
    return !(await isDue())
  }, 'nothing is due')
}
/** Returns the text of a mail whose parts are quoted-printable. */
const decode = ({ text }: TakenMail): string =>
  Buffer.from(
    text
      .replaceAll(/=\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
const recipients = (): string[] => server.mails.flatMap(({ to }) => to).sort()

beforeAll(async () => {
  clock = movingClock()
  server = await openMailServer()
  parley = await boot({ clock, env: server.env })
  otherProcess = await boot({ clock, env: server.env, databaseUrl: parley.databaseUrl })
  goTo(3, '12:00')
  shop = await parley.workspace({
    timezone: ZONE,
    name: 'Blue Lotus',
    ownerName: 'Asha Rao',
    ownerEmail: OWNER,
  })
  agent = await signIn(parley, shop, 'agent', clock.now())
  await signIn(parley, shop, 'admin', clock.now())
  await until(async () => {
    parley.wake()
    return (await plans()).some(({ workspaceId }) => workspaceId === shop.workspaceId)
  }, 'the mail is planned')
})
afterAll(async () => {
  await otherProcess?.close()
  await parley?.close()
  server?.close()
})

/** Opens a new session of the owner, because the last one may be too old. */
const signInOwner = ({ workspaceId, ownerId: memberId }: TestWorkspace = shop): Promise<Browser> =>
  signInByLink(parley, { workspaceId, memberId }, clock.now())
const choiceOf = async (user: Browser) => (await user.get(`${DASHBOARD}/weekly-mail`)).body

describe('the weekly mail', () => {
  test('goes to owners, and to other members who chose it', async () => {
    expect(await choiceOf(await signInOwner())).toEqual({ enabled: true, isAvailable: true })
    expect(await choiceOf(agent)).toEqual({ enabled: false, isAvailable: true })
    const answer = await agent.put(`${DASHBOARD}/weekly-mail`, { enabled: true })
    expect(answer.body, answer.text).toEqual({ enabled: true, isAvailable: true })
    expect((await agent.patch(`${DASHBOARD}/account`, { language: 'es' })).status).toBe(200)
    for (const n of [1, 2]) await shop.post('/leads', { phone: `+91981230000${n}` })
    goTo(1, '06:59')
    await work()
    expect(server.mails).toEqual([])
    goTo(1, '07:01')
    await work()
    await until(async () => server.mails.length === 2, 'two mails arrived')
    expect(recipients()).toContain(OWNER)
    const mail = server.mails.find(({ to }) => to.includes(OWNER))!
    const text = decode(mail)
    expect(text).toContain('Your week at Blue Lotus')
    expect(text).toContain('Hello Asha Rao,')
    expect(text).toContain('New leads: 2 (week before: 0)')
    const sunday = local().subtract({ days: 1 }).toPlainDate()
    expect(text).toContain(sunday.toLocaleString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' }))
    const translated = decode(server.mails.find((other) => other !== mail)!)
    expect(translated).toContain('Leads nuevos: 2 (semana anterior: 0)')
    const html = /<!doctype html>[\s\S]*<\/html>/.exec(text)![0]
    if (process.env.PICTURES) await writeFile(join(process.env.PICTURES, 'weekly-mail.html'), html)
    expect(html).toContain('<strong style="font-size:18px">2</strong>')
  })

  test('is sent once for each member and week, by two processes, and compares with the week before', async () => {
    for (let i = 0; i < 5; i++) await work()
    expect(server.mails).toHaveLength(2)
    await shop.post('/leads', { phone: '+919812300003' })
    goTo(1, '07:01')
    await Promise.all([work(), work()])
    await until(async () => server.mails.length === 4, 'two further mails arrived')
    const mail = server.mails.findLast(({ to }) => to.includes(OWNER))!
    expect(decode(mail)).toContain('New leads: 1 (week before: 2)')
  })

  test('stops by its link: a page with one button, and one click in mail programs', async () => {
    const mail = server.mails.findLast(({ to }) => to.includes(OWNER))!
    const headers = mail.text.slice(0, mail.text.indexOf('\n\n')).replaceAll(/\n\s+/g, ' ')
    expect(headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    const [, url] = /List-Unsubscribe: <([^>]+)>/.exec(headers)!
    const path = new URL(url!).pathname
    expect(decode(mail)).toContain(`Stop this email: ${url}`)
    const page = await parley.anonymous.get(`${parley.url}${path}`)
    expect([page.status, page.text.includes('Stop the weekly email about Blue Lotus?')]).toEqual([200, true])
    expect((await choiceOf(await signInOwner())).enabled).toBe(true)
    const stop = () =>
      parley.anonymous.call('POST', `${parley.url}${path}`, 'List-Unsubscribe=One-Click', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    for (const answer of [await stop(), await stop()]) {
      expect(answer.status, answer.text).toBe(200)
      expect(answer.text).toContain('You won&#39;t get the weekly email')
    }
    expect((await choiceOf(await signInOwner())).enabled).toBe(false)
    const before = server.mails.length
    await shop.post('/leads', { phone: '+919812300004' })
    goTo(1, '07:01')
    await work()
    await until(async () => server.mails.length === before + 1, 'one mail arrived')
    expect(server.mails.at(-1)!.to).not.toContain(OWNER)
    expect((await parley.anonymous.get(`${parley.url}/u/${'a'.repeat(22)}`)).status).toBe(404)
  })

  test('is not sent without activity in two weeks, nor to sandboxes', async () => {
    const before = server.mails.length
    const sandbox = await parley.workspace({ sandbox: true, timezone: ZONE })
    await sandbox.inbound('+919812300001', 'Hello')
    const reader = await signInOwner(sandbox)
    expect((await choiceOf(reader)).isAvailable).toBe(false)
    expect((await reader.put(`${DASHBOARD}/weekly-mail`, { enabled: true })).status).toBe(409)
    for (let week = 0; week < 3; week++) {
      goTo(1, '07:01')
      await work()
    }
    // The last lead was created in the week before the first of these.
    await until(async () => server.mails.length >= before + 1, 'the mail that compares with it arrived')
    expect(server.mails).toHaveLength(before + 1)
    expect((await plans()).map(({ workspaceId }) => workspaceId)).not.toContain(sandbox.workspaceId)
  })
})
