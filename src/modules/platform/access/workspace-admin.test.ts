/**
 * Work of admins in the dashboard: members, keys, numbers, security and settings
 * (DECISIONS.md "Accounts and sessions").
 */
import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Body,
  boot,
  clientOf,
  type TestParley,
  type TestWorkspace,
} from '../../../../test/support/boot.ts'
import { deadlocksIn } from '../../../../test/support/deadlocks.ts'
import { openMailServer } from '../../../../test/support/mail-server.ts'
import { type MovingClock, movingClock } from '../../../../test/support/moving-clock.ts'
import {
  type Browser,
  browserOf,
  DASHBOARD,
  signIn,
  signInByLink,
} from '../../../../test/support/sessions.ts'
import { until } from '../../../../test/support/until.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../core/clock.ts'
import { setMemberAndInvitation } from './operations/members.ts'

const PASSWORD = 'three blue kettles at noon'

let clock: MovingClock
let mail: Awaited<ReturnType<typeof openMailServer>>
let parley: TestParley
let shop: TestWorkspace
let admin: Browser
beforeAll(async () => {
  clock = movingClock()
  mail = await openMailServer()
  parley = await boot({ clock, env: mail.env })
  shop = await parley.workspace({ sandbox: true })
  admin = await signIn(parley, shop, 'admin', clock.now())
})
afterAll(async () => {
  await parley?.close()
  mail?.close()
})

/** Returns the token in a link's fragment, which the browser sends to no server. */
const tokenOf = (url: string): string => new URLSearchParams(new URL(url).hash.slice(1)).get('token') ?? ''

const newEmail = () => `${randomUUID()}@example.com`
const invite = async (email = newEmail(), inviter = admin) => {
  const answer = await inviter.post(`${DASHBOARD}/members`, { email, name: 'Ravi Kumar', role: 'agent' })
  expect(answer.status, answer.text).toBe(201)
  const { member, inviteUrl, mailed } = answer.body
  return { member, inviteUrl, mailed, token: tokenOf(inviteUrl) }
}
const redeem = (body: object, browser = browserOf(parley, shop)) =>
  browser.post(`${DASHBOARD}/sign-in/redeem`, body)
const lastActivity = async (kind: string) =>
  (await shop.get(`/activity?kind=${kind}&limit=1`)).body.activity[0]

describe('an invitation', () => {
  test('makes an account with its own token, once, and signs in', async () => {
    const { member, token } = await invite()
    expect(member).toMatchObject({ role: 'agent', hasAccount: false, invitedUntil: expect.any(String) })
    const browser = browserOf(parley, shop)
    const answer = await redeem({ token, name: 'Ravi', password: PASSWORD }, browser)
    expect(answer, answer.text).toMatchObject({ status: 200, body: { ok: true } })
    expect((await browser.get(`${DASHBOARD}/session`)).body).toMatchObject({
      account: { name: 'Ravi', email: member.email, hasPassword: true },
      member: { id: member.id, role: 'agent' },
    })
    expect(await redeem({ token, password: PASSWORD })).toMatchObject({ status: 404 })
    expect(await lastActivity('member.invited')).toMatchObject({
      actor: { kind: 'member', id: admin.memberId },
      data: { memberId: member.id },
    })
  })

  test('requires a good password, and is not spent by a bad one', async () => {
    const { token } = await invite()
    expect(await redeem({ token })).toMatchObject({ status: 400, body: { issues: [{ path: 'password' }] } })
    expect(await redeem({ token, password: 'password12' })).toMatchObject({ status: 400 })
    expect((await redeem({ token, password: PASSWORD })).status).toBe(200)
  })

  test('never signs in to an existing account with the same email', async () => {
    const email = newEmail()
    const first = await invite(email)
    await redeem({ token: first.token, password: PASSWORD })
    const other = await parley.workspace({ sandbox: true })
    const otherAdmin = await signIn(parley, other, 'admin', clock.now())
    const { token } = await invite(email, otherAdmin)
    const browser = browserOf(parley, other)
    expect(await redeem({ token, password: 'another good password here' }, browser)).toMatchObject({
      status: 409,
      body: { error: 'conflict' },
    })
    expect(browser.cookie).toBe('')
    const owner = browserOf(parley, shop)
    expect((await owner.post(`${DASHBOARD}/sign-in`, { email, password: PASSWORD })).status).toBe(200)
    expect((await redeem({ token }, owner)).status).toBe(200)
    const { workspaces } = (await owner.get(`${DASHBOARD}/session`)).body
    expect(workspaces.map(({ id }: { id: string }) => id)).toEqual([shop.workspaceId, other.workspaceId])
  })

  test('lives a week, is replaced by a new one, and is deleted with the member', async () => {
    const late = await invite()
    clock.aheadMs += 7 * DAY_MS
    admin = await signIn(parley, shop, 'admin', clock.now())
    expect(await redeem({ token: late.token, password: PASSWORD })).toMatchObject({ status: 404 })
    const replaced = await invite()
    const reinvited = await admin.patch(`${DASHBOARD}/members/${replaced.member.id}`, { invite: true })
    expect(reinvited.body.inviteUrl).toEqual(expect.any(String))
    expect(await redeem({ token: replaced.token, password: PASSWORD })).toMatchObject({ status: 404 })
    expect((await admin.delete(`${DASHBOARD}/members/${replaced.member.id}`)).status).toBe(200)
    const token = tokenOf(reinvited.body.inviteUrl)
    expect(await redeem({ token, password: PASSWORD })).toMatchObject({ status: 404 })
  })
})

test('an invitation gives its admin the same answer for known and unknown emails', async () => {
  const knownEmail = newEmail()
  await redeem({ token: (await invite(knownEmail)).token, password: PASSWORD })
  const otherShop = await parley.workspace({ sandbox: true })
  const otherAdmin = await signIn(parley, otherShop, 'admin', clock.now())
  const inviteAndRead = async (email: string) => {
    const { member, mailed, token } = await invite(email, otherAdmin)
    const link = (await readToken(token)).body
    return {
      member: { ...member, id: '', email: '', createdAt: '', invitedUntil: '' },
      mailed,
      link: { ...link, email: '' },
    }
  }
  expect(await inviteAndRead(knownEmail)).toEqual(await inviteAndRead(newEmail()))
})

test('an invitation of a sandbox whose clock was moved lives a week of real time', async () => {
  const moved = await parley.workspace({ sandbox: true })
  await moved.advance((60 * DAY_MS) / 1000)
  const { member, token } = await invite(newEmail(), await signIn(parley, moved, 'admin', clock.now()))
  const ends = Date.parse(member.invitedUntil) - clock.now().getTime()
  expect(ends).toBeGreaterThan(6 * DAY_MS)
  expect(ends).toBeLessThanOrEqual(7 * DAY_MS)
  const { members } = (await (await signIn(parley, moved, 'admin', clock.now())).get(`${DASHBOARD}/members`))
    .body
  expect(members.find(({ id }: { id: string }) => id === member.id).invitedUntil).toBe(member.invitedUntil)
  clock.aheadMs += 7 * DAY_MS
  admin = await signIn(parley, shop, 'admin', clock.now())
  expect((await redeem({ token, password: PASSWORD })).status).toBe(404)
})

describe('the link of an invitation to a wrong address', () => {
  test('stops working after an admin corrects the address, and the next link works', async () => {
    const { member, token } = await invite()
    const path = `${DASHBOARD}/members/${member.id}`
    expect((await admin.patch(path, { email: member.email.toUpperCase() })).body.member).toMatchObject({
      invitedUntil: member.invitedUntil,
    })
    const right = newEmail()
    expect((await admin.patch(path, { email: right })).body.member).toMatchObject({
      email: right,
      invitedUntil: null,
    })
    expect((await readToken(token)).status).toBe(404)
    expect(await redeem({ token, password: PASSWORD })).toMatchObject({ status: 404 })
    const reinvited = await admin.patch(path, { email: newEmail(), invite: true })
    expect((await redeem({ token: tokenOf(reinvited.body.inviteUrl), password: PASSWORD })).status).toBe(200)
  })

  test('stops working after the CLI corrects the address', async () => {
    const { member, token } = await invite()
    await parley.system((tx) => setMemberAndInvitation(tx, member.id, { email: newEmail() }, clock.now()))
    expect((await readToken(token)).status).toBe(404)
  })
})

// The mail wraps its lines, which can split the token.
const tokenIn = (text: string) =>
  /#token=([\w-]{43})/.exec(text.replace(/=\n/g, '').replace('=3D', '='))?.[1] ?? ''
const mailsTo = (email: string, subject: string) =>
  mail.mails.filter(({ to, text }) => to.includes(email) && text.includes(`Subject: ${subject}`))
async function mailTo(email: string, subject: string): Promise<string> {
  await until(() => mailsTo(email, subject).length > 0, 'the mail arrives')
  return mailsTo(email, subject).at(-1)!.text
}
const readToken = async (token: string, browser = browserOf(parley)) =>
  await browser.post(`${DASHBOARD}/sign-in/token`, { token })

describe('mails', () => {
  test('an invitation is mailed once, and reading its link does not spend it', async () => {
    const { member, token, mailed } = await invite()
    expect(mailed).toBe(true)
    // The admin doesn't know the mailed link, so it proves that its caller read the mail.
    const mailedToken = tokenIn(await mailTo(member.email, 'Join '))
    expect(mailedToken).not.toBe(token)
    const fresh = {
      purpose: 'invitation',
      workspace: 'Test shop',
      workspaceId: shop.workspaceId,
      name: member.name,
      email: member.email,
    }
    for (const candidate of [token, mailedToken])
      expect((await readToken(candidate)).body).toEqual({ ...fresh, account: 'new' })
    const otherMember = await signIn(parley, shop, 'agent', clock.now())
    expect((await readToken(token, otherMember)).body).toMatchObject({
      purpose: 'invitation',
      account: 'own',
    })
    const otherShop = await parley.workspace()
    await invite(member.email, await signIn(parley, otherShop, 'admin', clock.now()))
    await until(() => mailsTo(member.email, 'Join ').length === 2, 'the second mail arrives')
    const toPerson = tokenIn(await mailTo(member.email, 'Join '))
    expect((await redeem({ token: mailedToken, password: PASSWORD })).status).toBe(200)
    expect((await readToken(toPerson)).body).toMatchObject({ account: 'known' })
    for (const candidate of [token, mailedToken]) expect((await readToken(candidate)).status).toBe(404)
    expect(mailsTo(member.email, 'Join ')).toHaveLength(2)
  })

  test('an invitation is in the language of the workspace, an account link in that of the account', async () => {
    const boss = await signIn(parley, await parley.workspace({ language: 'id' }), 'admin', clock.now())
    const { member } = await invite(undefined, boss)
    await mailTo(member.email, 'Bergabung dengan Test shop di Parley')
    expect((await boss.patch(`${DASHBOARD}/account`, { language: 'id' })).status).toBe(200)
    const email = newEmail()
    expect((await boss.patch(`${DASHBOARD}/account`, { email })).status).toBe(200)
    await mailTo(email, 'Konfirmasi email Anda untuk Parley')
  })

  test('an address gets at most three invitations, and three confirmation links, an hour', async () => {
    const { member, mailed } = await invite()
    const reinvite = () => admin.patch(`${DASHBOARD}/members/${member.id}`, { invite: true })
    const mails = [mailed, (await reinvite()).body.mailed, (await reinvite()).body.mailed]
    const otherAdmin = await signIn(parley, await parley.workspace(), 'admin', clock.now())
    expect([...mails, (await invite(member.email, otherAdmin)).mailed]).toEqual([true, true, true, false])
    // The answer still has the link, so that the admin can pass it on.
    expect((await reinvite()).body).toMatchObject({ mailed: false, inviteUrl: expect.any(String) })
    const email = newEmail()
    const change = (browser: Browser) => browser.patch(`${DASHBOARD}/account`, { email })
    for (const browser of [admin, otherAdmin, admin]) expect((await change(browser)).status).toBe(200)
    const last = tokenIn(
      (await until(() => mailsTo(email, 'Confirm your email')[2], 'three mails arrive')).text,
    )
    expect(await change(admin)).toMatchObject({ status: 429, headers: { 'retry-after': '3600' } })
    // The last mailed link still works.
    expect((await readToken(last)).status).toBe(200)
    expect(mailsTo(member.email, 'Join ')).toHaveLength(3)
    expect(mailsTo(email, 'Confirm your email')).toHaveLength(3)
  })

  test("an email must be a single address, and a name can't add lines to a mail", async () => {
    for (const email of ['a,b@example.com', '<b@example.com>', '(x)b@example.com', 'g:b@example.com;'])
      expect(await admin.post(`${DASHBOARD}/members`, { email, name: 'Ravi', role: 'agent' })).toMatchObject({
        status: 400,
        body: { issues: [{ path: 'email' }] },
      })
    const email = newEmail()
    const name = 'Ravi,\n\nYour bank asks you to call +1 555 0100'
    await admin.post(`${DASHBOARD}/members`, { email, name, role: 'agent' })
    const text = (await mailTo(email, 'Join ')).replaceAll('=\n', '')
    expect(text).toContain('Hello Ravi, Your bank asks you to call +1 555 0100,\n')
  })

  test('a mail that the mail server refuses is sent later, also after a restart', async () => {
    mail.refuse('451 come back later')
    const { member } = await invite()
    const refused = mail.refused()
    await until(() => mail.refused() > refused, 'the mail was refused')
    mail.refuse(null)
    await parley.restart()
    clock.aheadMs += 5 * MINUTE_MS
    await mailTo(member.email, 'Join ')
    await until(async () => {
      const left = await parley.system((tx) => tx.sql('select 1 from account_mails'))
      return left.length === 0
    }, 'no mail is waiting')
    admin = await signIn(parley, shop, 'admin', clock.now())
  })
})

describe('concurrent requests', () => {
  const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()

  test('give an email to one account', async () => {
    const otherAdmin = await signIn(parley, await parley.workspace({ sandbox: true }), 'admin', clock.now())
    const member = (email: string) =>
      otherAdmin.post(`${DASHBOARD}/members`, { email, name: 'Ravi Kumar', role: 'agent' })
    const email = newEmail()
    expect(statusesOf(await Promise.all([1, 2, 3, 4].map(() => member(email))))).toEqual([201, 409, 409, 409])
    const invited = await Promise.all([newEmail(), newEmail()].map(member))
    const another = newEmail()
    const renamed = invited.map(({ body }) =>
      otherAdmin.patch(`${DASHBOARD}/members/${body.member.id}`, { email: another }),
    )
    expect(statusesOf(await Promise.all(renamed))).toEqual([200, 409])
  })

  test('of two accounts confirm an email for one of them', async () => {
    const invitees = [await invite(), await invite()].map(({ token }) => ({
      token,
      browser: browserOf(parley, shop),
    }))
    for (const { token, browser } of invitees) await redeem({ token, password: PASSWORD }, browser)
    const email = newEmail()
    for (const { browser } of invitees)
      expect((await browser.patch(`${DASHBOARD}/account`, { email })).status).toBe(200)
    await until(() => mailsTo(email, 'Confirm your email').length === 2, 'both mails arrive')
    const links = mailsTo(email, 'Confirm your email').map(({ text }) => tokenIn(text))
    expect(statusesOf(await Promise.all(links.map((link) => redeem({ token: link }))))).toEqual([200, 409])
  })

  test('of two invitations to a workspace add the account once', async () => {
    const otherAdmin = await signIn(parley, await parley.workspace({ sandbox: true }), 'admin', clock.now())
    for (let round = 0; round < 4; round++) {
      const { token } = await invite()
      const browser = browserOf(parley, shop)
      await redeem({ token, password: PASSWORD }, browser)
      const links = [await invite(newEmail(), otherAdmin), await invite(newEmail(), otherAdmin)]
      const answers = await Promise.all(links.map((link) => redeem({ token: link.token }, browser)))
      expect(statusesOf(answers)).toEqual([200, 409])
    }
  })

  test('leave a removed member without a key created meanwhile (spec 5.5)', async () => {
    const workspace = await parley.workspace({ sandbox: true })
    const otherAdmin = await signIn(parley, workspace, 'admin', clock.now())
    for (let round = 0; round < 6; round++) {
      const leaver = await signIn(parley, workspace, 'admin', clock.now())
      const [removal, creation] = await Promise.all([
        otherAdmin.delete(`${DASHBOARD}/members/${leaver.memberId}`),
        leaver.post(`${DASHBOARD}/keys`, { role: 'admin', label: 'in a hurry' }),
      ])
      expect(removal.status, removal.text).toBe(200)
      expect([201, 401, 403, 404], creation.text).toContain(creation.status)
    }
    const { keys } = (await otherAdmin.get(`${DASHBOARD}/keys`)).body
    expect(keys.filter((key: Body) => key.label === 'in a hurry' && !key.revokedAt)).toEqual([])
  })

  test('that accept, resend and withdraw an invitation take effect one after the other', async () => {
    const before = await deadlocksIn(parley)
    for (let round = 0; round < 6; round++) {
      const { member, token } = await invite()
      const path = `${DASHBOARD}/members/${member.id}`
      const [accepted, reinvited, withdrawn] = await Promise.all([
        redeem({ token, password: PASSWORD }),
        admin.patch(path, { invite: true }),
        admin.delete(path),
      ])
      expect(accepted.status, accepted.text).toBeOneOf([200, 404])
      expect(reinvited.status, reinvited.text).toBeOneOf([200, 404, 409])
      expect(withdrawn.status, withdrawn.text).toBe(200)
      const invitations = await parley.system((tx) =>
        tx.sql('select 1 from invitations where member_id = $1', [member.id]),
      )
      expect(invitations).toEqual([])
    }
    expect(await deadlocksIn(parley)).toBe(before)
  })

  test("that check a number and replace its token don't deadlock", async () => {
    const before = await deadlocksIn(parley)
    for (let round = 0; round < 6; round++) {
      const number = `+1555${randomInt(1e6, 1e7)}`
      const connected = await admin.post(`${DASHBOARD}/numbers`, { operator: 'simulator', number })
      const path = `${DASHBOARD}/numbers/${connected.body.number.id}`
      const answers = await Promise.all([
        ...[1, 2].map(() => admin.post(`${path}/check`)),
        ...[1, 2].map((n) => admin.patch(path, { token: `another token ${n}` })),
      ])
      for (const { status, text } of answers) expect(status, text).toBe(200)
    }
    expect(await deadlocksIn(parley)).toBe(before)
  })

  test('keep all the first preferences of a member', async () => {
    const agent = await signIn(parley, shop, 'agent', clock.now())
    const names = ['a', 'b', 'c', 'd', 'e']
    await Promise.all(names.map((name) => agent.patch(`${DASHBOARD}/preferences`, { [name]: true })))
    const { preferences } = (await agent.get(`${DASHBOARD}/preferences`)).body
    expect(Object.keys(preferences).sort()).toEqual(names)
  })

  test('keep all changes to the security of a workspace', async () => {
    const otherAdmin = await signIn(parley, await parley.workspace({ sandbox: true }), 'admin', clock.now())
    const path = `${DASHBOARD}/security`
    for (let round = 1; round <= 4; round++) {
      const [idleDays, absoluteDays] = [round, 20 + round]
      await Promise.all([otherAdmin.patch(path, { idleDays }), otherAdmin.patch(path, { absoluteDays })])
      expect((await otherAdmin.get(path)).body.security).toMatchObject({ idleDays, absoluteDays })
    }
  })
})

describe('a new email', () => {
  test('counts after its link is opened; members and the sign-in use it then', async () => {
    const { member, token } = await invite()
    const browser = browserOf(parley, shop)
    await redeem({ token, password: PASSWORD }, browser)
    const email = newEmail()
    const changed = await browser.patch(`${DASHBOARD}/account`, { email })
    expect(changed.body).toEqual({ ok: true, confirm: email })
    const account = async () => (await browser.get(`${DASHBOARD}/session`)).body.account
    expect((await account()).email).toBe(member.email)
    const link = tokenIn(await mailTo(email, 'Confirm your email'))
    expect((await readToken(link)).body).toMatchObject({ purpose: 'email', email })
    expect((await redeem({ token: link })).status).toBe(200)
    expect((await account()).email).toBe(email)
    expect((await redeem({ token: link })).status).toBe(404)
    const { members } = (await admin.get(`${DASHBOARD}/members`)).body
    expect(members.find(({ id }: { id: string }) => id === member.id).email).toBe(email)
    const signedIn = await browserOf(parley).post(`${DASHBOARD}/sign-in`, { email, password: PASSWORD })
    expect(signedIn.status).toBe(200)
  })

  test('of another account is a conflict, also if that account takes it before the link is opened', async () => {
    const [firstInvitee, secondInvitee] = [await invite(), await invite()]
    const [first, second] = [browserOf(parley, shop), browserOf(parley, shop)]
    await redeem({ token: firstInvitee.token, password: PASSWORD }, first)
    await redeem({ token: secondInvitee.token, password: PASSWORD }, second)
    expect((await first.patch(`${DASHBOARD}/account`, { email: secondInvitee.member.email })).status).toBe(
      409,
    )
    const email = newEmail()
    for (const browser of [first, second])
      expect((await browser.patch(`${DASHBOARD}/account`, { email })).status).toBe(200)
    await until(() => mailsTo(email, 'Confirm your email').length === 2, 'both mails arrive')
    const [ownToken, otherToken] = mailsTo(email, 'Confirm your email').map(({ text }) => tokenIn(text))
    expect((await redeem({ token: ownToken! })).status).toBe(200)
    expect((await redeem({ token: otherToken! })).status).toBe(409)
  })
})

describe('a reset by mail', () => {
  const requestReset = (email: string) =>
    browserOf(parley, shop).post(`${DASHBOARD}/sign-in/reset`, { email })

  test('sets a new password once within an hour, and ends every session', async () => {
    const { member, token } = await invite()
    const before = browserOf(parley, shop)
    await redeem({ token, password: PASSWORD }, before)
    expect(await requestReset(member.email)).toMatchObject({ status: 204, text: '' })
    const reset = tokenIn(await mailTo(member.email, 'Reset your'))
    const browser = browserOf(parley, shop)
    expect((await redeem({ token: reset, password: 'a wholly different secret' }, browser)).status).toBe(200)
    await parley.caughtUp()
    expect((await before.get('/me')).body.message).toContain('your password was changed')
    expect((await browser.get('/me')).status).toBe(200)
    expect((await redeem({ token: reset, password: PASSWORD })).status).toBe(404)
    expect(
      (await browserOf(parley).post(`${DASHBOARD}/sign-in`, { email: member.email, password: PASSWORD }))
        .status,
    ).toBe(401)
  })

  test("cancels earlier requests: a link that would change the account's email", async () => {
    for (const kind of ['reset', 'change']) {
      const { member, token } = await invite()
      const browser = browserOf(parley, shop)
      await redeem({ token, password: PASSWORD }, browser)
      const elsewhere = newEmail()
      await browser.patch(`${DASHBOARD}/account`, { email: elsewhere })
      const link = tokenIn(await mailTo(elsewhere, 'Confirm your email'))
      const password = 'a wholly different secret'
      if (kind === 'change') await browser.patch(`${DASHBOARD}/account`, { password })
      else {
        await requestReset(member.email)
        await redeem({ token: tokenIn(await mailTo(member.email, 'Reset your')), password })
      }
      expect((await redeem({ token: link })).status).toBe(404)
      const signIn = { email: member.email, password }
      expect((await browserOf(parley).post(`${DASHBOARD}/sign-in`, signIn)).status).toBe(200)
    }
    const { token } = await invite()
    const browser = browserOf(parley, shop)
    await redeem({ token, password: PASSWORD }, browser)
    const credentials = { email: newEmail(), password: 'yet another good secret' }
    expect((await browser.patch(`${DASHBOARD}/account`, credentials)).body.confirm).toBe(credentials.email)
    const link = tokenIn(await mailTo(credentials.email, 'Confirm your email'))
    expect((await redeem({ token: link })).status).toBe(200)
  })

  test('proves the email of an account made with a shown link; only then can it set up a second factor', async () => {
    const { member, token } = await invite()
    const browser = browserOf(parley, shop)
    expect((await redeem({ token, password: PASSWORD }, browser)).status).toBe(200)
    for (const path of ['totp', 'passkeys'])
      expect(await browser.post(`${DASHBOARD}/account/${path}`)).toMatchObject({
        status: 409,
        body: { error: 'conflict', message: expect.stringContaining('Forgot your password?') },
      })
    await requestReset(member.email)
    const reset = tokenIn(await mailTo(member.email, 'Reset your'))
    expect((await redeem({ token: reset, password: 'a wholly different secret' }, browser)).status).toBe(200)
    expect((await browser.post(`${DASHBOARD}/account/totp`)).status).toBe(200)
  })

  test('is not needed for a second factor by an account made with the mailed link', async () => {
    const { member } = await invite()
    const mailed = tokenIn(await mailTo(member.email, 'Join '))
    const browser = browserOf(parley, shop)
    expect((await redeem({ token: mailed, password: PASSWORD }, browser)).status).toBe(200)
    expect((await browser.post(`${DASHBOARD}/account/totp`)).status).toBe(200)
  })

  test('does not work after an hour', async () => {
    const { member, token } = await invite()
    await redeem({ token, password: PASSWORD })
    await requestReset(member.email)
    const text = await mailTo(member.email, 'Reset your')
    clock.aheadMs += HOUR_MS
    admin = await signIn(parley, shop, 'admin', clock.now())
    expect((await redeem({ token: tokenIn(text), password: PASSWORD })).status).toBe(404)
  })

  test('of an unknown email gets the same answer; an address gets at most three an hour', async () => {
    expect(await requestReset(newEmail())).toMatchObject({ status: 204, text: '' })
    const { member, token } = await invite()
    await redeem({ token, password: PASSWORD })
    for (let i = 0; i < 6; i++) expect((await requestReset(member.email)).status).toBe(204)
    const countSent = () => mailsTo(member.email, 'Reset your').length
    await until(() => countSent() === 3, 'three mails arrive')
    expect(mail.mails.filter(({ to }) => to.some((address) => address === 'nobody@example.com'))).toEqual([])
    expect(countSent()).toBe(3)
  })
})

describe('members', () => {
  test('are listed with their role, and whether they have an account', async () => {
    const { member } = await invite()
    const { members } = (await admin.get(`${DASHBOARD}/members`)).body
    expect(members.find(({ id }: { id: string }) => id === member.id)).toEqual(member)
    expect(members.find(({ id }: { id: string }) => id === admin.memberId)).toMatchObject({
      role: 'admin',
      hasAccount: true,
      invitedUntil: null,
    })
  })

  test('an email of another member is a conflict', async () => {
    const { member } = await invite()
    expect(
      await admin.post(`${DASHBOARD}/members`, { email: member.email, name: 'Two', role: 'viewer' }),
    ).toMatchObject({ status: 409 })
  })

  test("a lower role revokes the member's keys, a removed member is gone, and the log names the admin", async () => {
    const agent = await signIn(parley, shop, 'admin', clock.now())
    const { apiKey } = (await agent.post(`${DASHBOARD}/keys`, { label: 'Theirs', role: 'admin' })).body
    const agentClient = clientOf(parley.url, apiKey)
    expect((await agentClient.get('/me')).status).toBe(200)
    const path = `${DASHBOARD}/members/${agent.memberId}`
    expect((await admin.patch(path, { role: 'viewer' })).body.member).toMatchObject({ role: 'viewer' })
    await parley.caughtUp()
    expect((await agentClient.get('/me')).body.error).toBe('api_key_revoked')
    expect(await lastActivity('member.changed')).toMatchObject({
      actor: { kind: 'member', id: admin.memberId, name: 'The admin' },
      data: { memberId: agent.memberId, role: 'viewer', left: false },
    })
    expect((await admin.delete(path)).status).toBe(200)
    expect((await admin.delete(path)).status).toBe(404)
    await parley.caughtUp()
    expect((await agent.get('/me')).body.error).toBe('not_a_member')
  })

  test('only owners change themselves, and an owner stays an admin', async () => {
    const path = `${DASHBOARD}/members/${shop.ownerId}`
    for (const refused of [
      await admin.patch(path, { role: 'viewer' }),
      await admin.patch(path, { email: newEmail() }),
      await admin.delete(path),
    ])
      expect(refused).toMatchObject({ status: 403, body: { required: 'owner' } })
    const owner = await signInByLink(parley, { ...shop, memberId: shop.ownerId }, clock.now())
    expect((await owner.patch(path, { name: 'Asha' })).body.member.name).toBe('Asha')
    expect((await owner.patch(path, { role: 'agent' })).status).toBe(403)
    expect((await owner.delete(path)).status).toBe(403)
  })
})

describe('keys', () => {
  test('are shown once, listed without their secrets, and revoked', async () => {
    const created = await admin.post(`${DASHBOARD}/keys`, {
      label: 'Website',
      role: 'agent',
      scopes: ['contacts:read'],
      allowIps: ['203.0.113.0/24'],
      expiresAt: '2036-01-01T00:00:00Z',
    })
    expect(created.status, created.text).toBe(201)
    const { key, apiKey } = created.body
    expect(apiKey).toMatch(/^pk_test_/)
    expect(key).toMatchObject({ label: 'Website', memberId: admin.memberId, scopes: ['contacts:read'] })
    const listed = await admin.get(`${DASHBOARD}/keys`)
    expect(listed.body.keys).toContainEqual(key)
    expect(listed.text).not.toContain(apiKey)
    expect((await clientOf(parley.url, apiKey).get('/contacts')).body.error).toBe('ip_not_allowed')
    const revoked = await admin.delete(`${DASHBOARD}/keys/${key.id}`)
    expect(revoked.body.key.revokedAt).toEqual(expect.any(String))
    await parley.caughtUp()
    expect((await clientOf(parley.url, apiKey).get('/contacts')).body.error).toBe('api_key_revoked')
    expect(await lastActivity('key.revoked')).toMatchObject({ actor: { id: admin.memberId } })
  })

  test('cannot expire in the past, or allow invalid addresses', async () => {
    const make = (more: object) => admin.post(`${DASHBOARD}/keys`, { label: 'x', role: 'viewer', ...more })
    expect(await make({ expiresAt: '2020-01-01T00:00:00Z' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'expiresAt' }] },
    })
    for (const range of ['anywhere', '203.0.113', '172.16/12', '010.0.0.1'])
      expect((await make({ allowIps: [range] })).status, range).toBe(400)
  })
})

describe('numbers', () => {
  const newNumber = () => `+1415555${String(randomInt(10_000)).padStart(4, '0')}`

  test('a simulated number is connected, checked, disconnected, and connected again with a token', async () => {
    const added = await admin.post(`${DASHBOARD}/numbers`, { operator: 'simulator', number: newNumber() })
    expect(added.status, added.text).toBe(201)
    expect(added.body).toMatchObject({
      number: { state: 'active', simulated: true },
      callbackUrl: expect.stringContaining(shop.workspaceId),
      verifyToken: expect.any(String),
    })
    const path = `${DASHBOARD}/numbers/${added.body.number.id}`
    const data = { phoneNumberId: added.body.number.id }
    expect(await lastActivity('number.added')).toMatchObject({ actor: { id: admin.memberId }, data })
    await parley.caughtUp()
    expect((await admin.post(`${path}/check`)).body).toMatchObject({ ok: true, problem: null })
    expect((await admin.delete(path)).body.number).toMatchObject({ state: 'disconnected' })
    expect((await shop.get('/phone-numbers')).text).toContain('disconnected in the dashboard')
    expect(await lastActivity('number.disconnected')).toMatchObject({ data })
    await parley.caughtUp()
    expect(await admin.post(`${path}/check`)).toMatchObject({ status: 409, body: { error: 'conflict' } })
    expect((await admin.patch(path, { token: 'a new token' })).body.number.state).toBe('active')
    expect(await lastActivity('number.changed')).toMatchObject({ data: { changed: ['token'] } })
    expect((await admin.patch(path, { dailyNewRecipients: 50 })).status).toBe(200)
  })

  test('simulated numbers share one business account, also if connected at the same time: POST /templates requires no wabaConnectionId', async () => {
    const workspace = await parley.workspace({ plan: 'unlimited' })
    const owner = await signIn(parley, workspace, 'admin', clock.now())
    const numbers = Array.from({ length: 3 }, (_, index) => `+1415555020${index}`)
    const connect = (number: string) => owner.post(`${DASHBOARD}/numbers`, { operator: 'simulator', number })
    const added = await Promise.all(numbers.map(connect))
    expect(added.map(({ status }) => status)).toEqual([201, 201, 201])
    const { phoneNumbers } = (await workspace.get('/phone-numbers')).body
    expect(new Set(phoneNumbers.map((phoneNumber: Body) => phoneNumber.wabaConnectionId)).size).toBe(1)
    const body = { type: 'BODY', text: 'We open at nine.' }
    const template = { name: 'opening', language: 'en', category: 'UTILITY', components: [body] }
    await parley.caughtUp()
    expect(await workspace.post('/templates', template)).toMatchObject({ status: 200 })
  })

  test('a sandbox allows only simulated numbers; elsewhere a number of the operator is stored and never shows its secrets', async () => {
    const cloud = {
      operator: 'cloud',
      number: newNumber(),
      accountId: '1234567890',
      operatorId: String(randomInt(1e9, 2e9)),
      token: 'secret-token-of-the-operator',
      appSecret: 'secret-of-the-app',
    }
    expect(await admin.post(`${DASHBOARD}/numbers`, cloud)).toMatchObject({
      status: 403,
      body: { error: 'sandbox' },
    })
    const real = await parley.workspace()
    const realAdmin = await signIn(parley, real, 'admin', clock.now())
    const added = await realAdmin.post(`${DASHBOARD}/numbers`, cloud)
    expect(added.status, added.text).toBe(201)
    expect(added.text).not.toContain('secret')
    expect((await realAdmin.post(`${DASHBOARD}/numbers`, cloud)).status).toBe(409)
    expect((await realAdmin.get('/phone-numbers')).text).not.toContain('secret')
  })

  test('a number of another workspace is not found', async () => {
    const other = await parley.workspace({ sandbox: true })
    for (const id of [other.phoneNumberId, randomUUID(), 'nonsense']) {
      const path = `${DASHBOARD}/numbers/${id}`
      expect((await admin.patch(path, {})).status).toBe(404)
      expect((await admin.delete(path)).status).toBe(404)
      expect((await admin.post(`${path}/check`)).status).toBe(404)
    }
  })
})

describe('settings', () => {
  test('are read and changed, and the log names the changed fields', async () => {
    const changed = await admin.patch(`${DASHBOARD}/workspace`, {
      name: 'Blue shop',
      timezone: 'Europe/Berlin',
      countryCode: '49',
      messageDays: 90,
    })
    expect(changed.body.workspace).toMatchObject({
      name: 'Blue shop',
      timezone: 'Europe/Berlin',
      countryCode: '49',
    })
    expect((await admin.get(`${DASHBOARD}/workspace`)).body).toEqual(changed.body)
    expect(await lastActivity('workspace.changed')).toMatchObject({
      data: { changed: ['name', 'countryCode', 'timezone', 'messageDays'] },
    })
    for (const wrong of [{ timezone: 'Nowhere' }, { countryCode: '999' }, { messageDays: 5 }, { name: ' ' }])
      expect((await admin.patch(`${DASHBOARD}/workspace`, wrong)).status).toBe(400)
  })

  test('the capture link gets a new address, and the old one stops working', async () => {
    await admin.patch(`${DASHBOARD}/workspace`, { leadCapture: true })
    const { captureUrl: before } = (await admin.get(`${DASHBOARD}/workspace`)).body.workspace
    const after = (await admin.post(`${DASHBOARD}/workspace/capture-token`)).body.workspace.captureUrl
    await parley.caughtUp()
    const capture = (url: string) =>
      parley.anonymous.post(new URL(url).pathname, { name: 'Asha', phone: '+919812345677' })
    expect((await capture(before)).status).toBe(404)
    expect((await capture(after)).status).toBe(200)
  })

  test('usage shows the totals that the plan limits', async () => {
    const pro = await parley.workspace({ plan: 'pro' })
    const proAdmin = await signIn(parley, pro, 'admin', clock.now())
    await proAdmin.post('/contacts', { phone: '+919812345699' })
    expect((await proAdmin.get(`${DASHBOARD}/usage`)).body).toMatchObject({
      plan: 'pro',
      contacts: { used: 1, limit: 50_000 },
      messages: { used: 0, limit: 100_000 },
    })
  })

  test.each([
    ['POST', '/keys', { label: 'Reports', role: 'viewer', allowIPs: ['10.0.0.0/8'] }, 'allowIPs'],
    ['POST', '/members', { email: 'asha@example.com', name: 'Asha', role: 'agent', owner: true }, 'owner'],
    ['PATCH', '/workspace', { plan: 'unlimited' }, 'plan'],
    ['PATCH', '/account', { mail: 'asha@example.com' }, 'mail'],
    ['POST', '/sign-in/reset', { email: 'asha@example.com', to: 'eve@example.com' }, 'to'],
  ] as const)(
    'a body with an unknown field for %s %s is 400 and names the field (spec 4.1.2)',
    async (method, path, body, field) => {
      const otherAdmin = await signIn(parley, await parley.workspace({ sandbox: true }), 'admin', clock.now())
      expect(await otherAdmin.call(method, `${DASHBOARD}${path}`, body)).toMatchObject({
        status: 400,
        body: { issues: [{ path: field }] },
      })
    },
  )

  test('preferences belong to each member, are merged, and are deleted with null', async () => {
    const agent = await signIn(parley, shop, 'agent', clock.now())
    const path = `${DASHBOARD}/preferences`
    await agent.patch(path, { theme: 'dark', rows: { height: 34 } })
    expect((await agent.patch(path, { theme: null, sound: true })).body.preferences).toEqual({
      rows: { height: 34 },
      sound: true,
    })
    expect((await admin.get(path)).body.preferences).toEqual({})
    expect((await agent.patch(path, { long: 'x'.repeat(40_000) })).status).toBe(400)
  })

  test('a person can create one sandbox of their own', async () => {
    const agent = await signIn(parley, shop, 'admin', clock.now())
    const created = await agent.post(`${DASHBOARD}/workspaces`, { sandbox: true })
    expect(created.status, created.text).toBe(201)
    const { id } = created.body.workspace
    const sandboxBrowser = browserOf(parley, { workspaceId: id, cookie: agent.cookie })
    expect((await sandboxBrowser.get(`${DASHBOARD}/session`)).body).toMatchObject({
      workspace: { id, sandbox: true },
      member: { role: 'admin', owner: true },
    })
    expect(await agent.post(`${DASHBOARD}/workspaces`, { sandbox: true })).toMatchObject({
      status: 409,
      body: { error: 'conflict', message: 'You already have a sandbox: "Sandbox".' },
    })
  })

  test('sign-ins are listed, newest first, in pages', async () => {
    const agent = await signIn(parley, shop, 'agent', clock.now())
    const page = (await admin.get(`${DASHBOARD}/sign-ins?limit=1`)).body
    expect(page).toMatchObject({
      signIns: [{ kind: 'member.signed_in', actor: { id: agent.memberId }, data: { method: 'link' } }],
      nextCursor: expect.any(String),
    })
    const next = (await admin.get(`${DASHBOARD}/sign-ins?limit=1&cursor=${page.nextCursor}`)).body
    expect(next.signIns[0].id).not.toBe(page.signIns[0].id)
  })
})
