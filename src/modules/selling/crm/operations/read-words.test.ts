/** Stages, lost reasons, people and the assignment rule are cached by version (operations/read-words.ts). */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import type { Tx, Unit, Workspace } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import { addMember } from '../../../platform/workspaces/operations/workspace-members.ts'
import { readWords } from './read-words.ts'

let parley: TestParley
/** Another client of the database. This process gets no notice of its changes before it needs them. */
let other: pg.Client
let next = 40_000_000
const newPhone = (): string => `+9196${next++}`

beforeAll(async () => {
  parley = await boot()
  other = new pg.Client(parley.databaseUrl)
  await other.connect()
})
afterAll(async () => {
  await other.end()
  await parley.close()
})

const capture = async (shop: TestWorkspace, body: object = {}) =>
  (await shop.post('/leads', { phone: newPhone(), ...body })).body
const stageId = async (shop: TestWorkspace, name: string): Promise<string> =>
  (await shop.get('/pipeline')).body.stages.find((stage: { name: string }) => stage.name === name).id

/** Creates a workspace whose words are cached. */
async function knownShop(): Promise<TestWorkspace> {
  const shop = await parley.workspace()
  for (let i = 0; i < 3; i++) expect((await capture(shop)).created).toBe(true)
  return shop
}

const asUnit = (tx: Tx) => ({ tx }) as Unit
const words = (tx: Tx, shop: TestWorkspace) =>
  readWords(asUnit(tx), [{ id: shop.workspaceId } as Workspace], new Date())

test('a cached workspace costs one read of its version', async () => {
  const shop = await knownShop()
  const statements: string[] = []
  await parley.system(async (tx) => {
    const listening: Tx = {
      ...tx,
      sql: (text, values) => {
        statements.push(text)
        return tx.sql(text, values)
      },
    }
    await words(listening, shop)
  })
  expect(statements).toHaveLength(1)
  expect(statements[0]).toContain('from reference_versions')
})

test('a stage that another process renamed has its new name with the next lead', async () => {
  const shop = await knownShop()
  await other.query(`update pipeline_stages set name = 'Fresh' where id = $1`, [await stageId(shop, 'New')])
  expect((await capture(shop)).lead.stage.name).toBe('Fresh')
  expect((await capture(shop, { stage: 'New' })).error).toBe('invalid')
})

test('a stage that another process created or removed is known immediately, and its leads are in the replacement', async () => {
  const shop = await knownShop()
  const [newStageId, won] = [newId(), await stageId(shop, 'Won')]
  await other.query(
    `insert into pipeline_stages (workspace_id, id, name, color, kind, position, created_at)
     values ($1, $2, 'Visit', '#112233', 'active', 9, now())`,
    [shop.workspaceId, newStageId],
  )
  const { lead } = await capture(shop, { stage: 'visit' })
  expect(lead.stage.id).toBe(newStageId)
  await other.query('update pipeline_stages set removed_at = now(), replaced_by = $2 where id = $1', [
    newStageId,
    won,
  ])
  expect((await capture(shop, { stage: 'visit' })).error).toBe('invalid')
  expect((await capture(shop, { phone: lead.phone })).lead.stage.name).toBe('Won')
})

test('a stage that is being removed is used until the removal commits', async () => {
  const shop = await knownShop()
  const [contacted, won] = [await stageId(shop, 'Contacted'), await stageId(shop, 'Won')]
  await other.query('begin')
  await other.query('update pipeline_stages set removed_at = now(), replaced_by = $2 where id = $1', [
    contacted,
    won,
  ])
  const { lead } = await capture(shop, { stage: 'Contacted' })
  expect(lead.stage.id).toBe(contacted)
  await other.query('commit')
  expect((await shop.get(`/leads/${lead.id}`)).body.lead.stage.name).toBe('Won')
  expect((await capture(shop, { stage: 'Contacted' })).error).toBe('invalid')
})

test('a rolled-back change is not cached', async () => {
  const shop = await knownShop()
  const id = await stageId(shop, 'New')
  const failed = parley.system(async (tx) => {
    await tx.sql(`update pipeline_stages set name = 'Never' where id = $1`, [id])
    expect((await words(tx, shop)).get(shop.workspaceId)!.pipeline.standing.get(id)!.name).toBe('Never')
    throw new Error('changed my mind')
  })
  await expect(failed).rejects.toThrow('changed my mind')
  expect((await capture(shop)).lead.stage.name).toBe('New')
})

test('a rolled-back first pipeline is not cached', async () => {
  const shop = await parley.workspace()
  const stages = async (tx: Tx) =>
    (await words(tx, shop)).get(shop.workspaceId)!.pipeline.stages.map((stage) => stage.id)
  let rolledBackStages: string[] = []
  const failed = parley.system(async (tx) => {
    rolledBackStages = await stages(tx)
    throw new Error('changed my mind')
  })
  await expect(failed).rejects.toThrow('changed my mind')
  expect(rolledBackStages).toHaveLength(6)
  const { lead } = await capture(shop)
  expect(rolledBackStages).not.toContain(lead.stage.id)
  const { rows } = await other.query(
    'select id from pipeline_stages where workspace_id = $1 order by position',
    [shop.workspaceId],
  )
  expect(await parley.system(stages)).toEqual(rows.map((row) => row.id))
})

test('new and former members, and the assignment rule, are known immediately; turns invalidate nothing', async () => {
  const shop = await knownShop()
  const { memberId: id } = await parley.system((tx) =>
    addMember(
      tx,
      { workspaceId: shop.workspaceId, email: 'meera@example.com', name: 'Meera', role: 'agent' },
      new Date(),
    ),
  )
  expect((await capture(shop, { owner: 'Meera' })).lead.owner.id).toBe(id)
  const version = async () =>
    (await other.query('select version from reference_versions where workspace_id = $1', [shop.workspaceId]))
      .rows[0].version
  await other.query(
    `insert into lead_assignment (workspace_id, mode, member_ids) values ($1, 'round_robin', array[$2]::uuid[])`,
    [shop.workspaceId, id],
  )
  const before = await version()
  expect((await capture(shop)).lead.owner.name).toBe('Meera')
  expect(await version(), 'a turn was taken').toBe(before)
  await other.query('update members set left_at = now() where id = $1', [id])
  expect((await capture(shop)).lead.owner).toBe(null)
  expect((await capture(shop, { owner: 'Meera' })).error).toBe('invalid')
})

test('a lost reason that another process added can be used immediately', async () => {
  const shop = await knownShop()
  await other.query(
    `insert into lost_reasons (workspace_id, id, label, position, created_at) values ($1, $2, 'Moved away', 9, now())`,
    [shop.workspaceId, newId()],
  )
  const { lead } = await capture(shop, { stage: 'Lost', lostReason: 'moved away' })
  expect(lead.lostReason.label).toBe('Moved away')
})
