/** Tests a connected integration with a harmless call (DECISIONS.md). */
import type { AnsweringContext } from '../../../../core/endpoint.ts'
import { refuse } from '../../../../core/errors.ts'
import { findGateway } from '../../../selling/payments/operations/gateway-connection.ts'
import { findIntegrationRow } from '../queries/integrations.ts'
import type { Name } from '../schema.ts'
import { type Called, callIntegration, readProfile } from './call-integration.ts'
import { requireName } from './read-integrations.ts'
import { gatewaySecretsOf, openSecrets, type Secrets } from './secrets.ts'

/** `problem`: what is wrong, for the person who repairs it; null if the call worked. */
export type TestResult = { ok: boolean; problem: string | null }

type Connection = { settings: Record<string, unknown>; secrets: Secrets }

const refuseOff = (name: Name): never =>
  refuse('conflict', `The integration ${name} isn't connected. Connect it first.`)

/** Returns the stored settings and secrets. Refuses `conflict` if the integration is not connected. */
const readConnection = (ctx: AnsweringContext<TestResult>, name: Name): Promise<Connection> =>
  ctx.transaction(async ({ tx, sealer }) => {
    if (name === 'simulator') return { settings: {}, secrets: {} }
    if (name === 'razorpay') {
      const gateway = await findGateway(tx.sql, ctx.workspace)
      return gateway?.provider === 'razorpay'
        ? { settings: { keyId: gateway.keyId }, secrets: gatewaySecretsOf(gateway, sealer) }
        : refuseOff(name)
    }
    const row = await findIntegrationRow(tx.sql, ctx.workspace.id, name)
    return row ? { settings: row.settings, secrets: openSecrets(row.secretsSealed, sealer) } : refuseOff(name)
  })

/** Calls with the account as it is stored, so that a refused token also shows on the page of the account. */
async function callAccount({ outside, workspace }: AnsweringContext<TestResult>): Promise<Called> {
  const account = await outside.socialAccount(workspace.id)
  return account
    ? readProfile(await outside.socialNetwork.findProfile(account), account.networkId)
    : refuseOff('photo')
}

/** Tests the stored connection, and changes nothing. */
export async function testIntegration(ctx: AnsweringContext<TestResult>, text: string): Promise<TestResult> {
  const name = await ctx.transaction((txCtx) => requireName(txCtx, text))
  const called =
    name === 'photo'
      ? await callAccount(ctx)
      : await callIntegration(ctx.outside, name, await readConnection(ctx, name))
  const problem = called.kind === 'wrong' ? called.message : null
  return ctx.lastTransaction(async () => ({ ok: problem === null, problem }))
}
