import { getWorkspace } from '../modules/platform/workspaces/operations/get-workspace.ts'
import { setPhoneNumber } from '../modules/platform/workspaces/operations/number-credentials.ts'
import {
  addPhoneNumber,
  OPERATOR_CALLBACK_PATH,
  refuseRealNumber,
} from '../modules/platform/workspaces/operations/phone-numbers.ts'
import { command, UsageError } from './command.ts'
import { between, e164, id, oneOf, required, secret, text } from './flags.ts'
import { inInstallation } from './installation.ts'

export const numberCommands = [
  command({
    name: 'number add',
    summary: 'Connect a simulated number or a number at the operator.',
    flags: {
      workspace: required(id()),
      number: required(e164),
      operator: required(oneOf(['simulator', 'cloud'])),
      account: text('ID'),
      numberId: text('ID'),
      token: secret('T'),
      appSecret: secret('S'),
      verifyToken: secret('V'),
    },
    run: ({ workspace, number, operator, account, numberId, token, appSecret, verifyToken }, context) => {
      if (operator === 'cloud') requireCredentials({ account, numberId, token, appSecret, verifyToken })
      return inInstallation(context, async ({ tx, now, sealer, config }) => {
        refuseRealNumber(await getWorkspace(tx, workspace), operator)
        const added = await addPhoneNumber(
          tx,
          {
            workspaceId: workspace,
            number,
            operator,
            accountId: account,
            operatorId: numberId,
            token,
            appSecret,
            verifyToken,
          },
          now,
          sealer,
        )
        return { ...added, callbackUrl: `${config.siteUrl}${OPERATOR_CALLBACK_PATH}/${workspace}` }
      })
    },
  }),
  command({
    name: 'number set',
    summary: "Replace a number's credentials, for example to repair its connection, or set its sending rate.",
    flags: {
      phoneNumber: id(),
      numberId: text('ID'),
      token: secret('T'),
      appSecret: secret('S'),
      verifyToken: secret('V'),
      throughput: between(1, 999_999_999),
      dailyNewRecipients: between(1, 1_000_000),
    },
    run: ({ phoneNumber, numberId, ...patch }, context) => {
      if ((phoneNumber === undefined) === (numberId === undefined))
        throw new UsageError('Give either --phone-number or --number-id.')
      return inInstallation(context, ({ tx, now, sealer }) =>
        setPhoneNumber(tx, { phoneNumberId: phoneNumber, operatorId: numberId }, patch, now, sealer),
      )
    },
  }),
]

function requireCredentials(credentials: Record<string, string | undefined>): void {
  const missing = Object.entries(credentials).filter(([, value]) => value === undefined)
  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  if (missing.length > 0)
    throw new UsageError(
      `--operator cloud also requires ${missing.map(([name]) => `--${kebab(name)}`).join(', ')}.`,
    )
}
