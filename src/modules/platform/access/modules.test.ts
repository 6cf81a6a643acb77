/** Modules that the owner of a workspace turns on and off (DECISIONS.md "Plan and modules"). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { type Browser, DASHBOARD, signIn, signInByLink } from '../../../../test/support/sessions.ts'

const PATH = `${DASHBOARD}/modules`

let parley: TestParley
let shop: TestWorkspace
let owner: Browser
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
  owner = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
})

const change = async (body: Record<string, unknown>, by = owner) => {
  const answer = await by.patch(PATH, body)
  await parley.caughtUp()
  return answer
}
const modulesInSession = async () =>
  (await owner.get(`${DASHBOARD}/session`)).body.workspace.modules as string[]

test('the owner turns a module on; its endpoints and the session follow', async () => {
  expect((await owner.get(PATH)).body).toEqual({
    modules: { invoicing: false, bookings: false, reviews: false, social: false },
    changeable: true,
  })
  expect((await shop.get('/booking-services')).body.error).toBe('not_available')
  expect((await change({ bookings: true })).body.modules).toMatchObject({ bookings: true, reviews: false })
  expect((await shop.get('/booking-services')).status).toBe(200)
  expect(await modulesInSession()).toEqual(['bookings'])
  expect((await shop.get('/activity?kind=modules.changed&limit=1')).body.activity[0]).toMatchObject({
    actor: { kind: 'member', id: shop.ownerId },
    data: { on: ['bookings'], off: [] },
  })
})

test('turning a module off hides it and deletes nothing', async () => {
  await change({ bookings: true })
  const { id } = (await shop.post('/booking-services', { name: 'Haircut', durationMinutes: 45 })).body.service
  await change({ bookings: false })
  expect(await shop.get('/booking-services')).toMatchObject({ status: 404, body: { error: 'not_available' } })
  await change({ bookings: true })
  expect((await shop.get('/booking-services')).body.services).toMatchObject([{ id }])
})

test('the photo network is turned on and off as an add-on', async () => {
  expect((await shop.get('/social/posts')).body.error).toBe('social_addon_required')
  expect((await change({ social: true })).body.modules.social).toBe(true)
  expect((await shop.get('/social/posts')).body.error).not.toBe('social_addon_required')
  expect((await change({ social: false })).body.modules.social).toBe(false)
  expect((await shop.get('/social/posts')).body.error).toBe('social_addon_required')
})

test('concurrent changes of different modules are all kept, and a repeated one changes nothing', async () => {
  const names = ['invoicing', 'bookings', 'reviews']
  await Promise.all(names.map((name) => change({ [name]: true })))
  expect((await modulesInSession()).sort()).toEqual([...names].sort())
  await change({ reviews: true })
  expect((await shop.get('/activity?kind=modules.changed')).body.activity).toHaveLength(3)
})

test('only the owner changes modules; unknown ones are named', async () => {
  const admin = await signIn(parley, shop, 'admin')
  expect((await admin.get(PATH)).body.changeable).toBe(true)
  expect(await change({ bookings: true }, admin)).toMatchObject({ status: 403, body: { required: 'owner' } })
  const agent = await signIn(parley, shop, 'agent')
  expect((await agent.get(PATH)).status).toBe(403)
  expect(await change({ payments: true })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'payments' }] },
  })
  expect(await change({ bookings: 'yes' })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'bookings' }] },
  })
})

test('an installation may keep the modules to its administrator', async () => {
  const strict = await boot({ env: { PARLEY_OWNERS_CHANGE_MODULES: 'off' } })
  try {
    const own = await strict.workspace({ sandbox: true })
    const { workspaceId, ownerId: memberId } = own
    const browser = await signInByLink(strict, { workspaceId, memberId })
    expect((await browser.get(PATH)).body.changeable).toBe(false)
    const refused = await browser.patch(PATH, { bookings: true })
    expect(refused).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    expect(refused.body.message).toContain('parley workspace set --workspace')
  } finally {
    await strict.close()
  }
})
