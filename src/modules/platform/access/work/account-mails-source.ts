import { type Clock, SECOND_MS } from '../../../../core/clock.ts'
import type { Database, Outside } from '../../../../core/context.ts'
import type { Sealer } from '../../../../core/sealing.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { ACCOUNT_MAILS, type AccountMail } from '../operations/queue-mail.ts'
import { claimMails, deleteMail, type MailRow } from '../queries/mails.ts'

const MAX_AT_ONCE = 5
/** Longer than the mail server may take. */
const FIRST_WAIT_SECONDS = 120

/** Sends mails to accounts. A mail that the server refuses is tried again until its link expires. */
export const accountMailsSource = (deps: {
  database: Pick<Database, 'query'>
  clock: Clock
  sealer: Sealer
  outside: Pick<Outside, 'mailer'>
  onError(error: unknown): void
}): WorkSource => {
  const { query } = deps.database
  const send = async ({ id, sealed, expiresAt }: MailRow): Promise<void> => {
    const { mailer } = deps.outside
    if (mailer && expiresAt > deps.clock.now()) {
      const { to, subject, lines, html, stopUrl } = JSON.parse(deps.sealer.open(sealed)) as AccountMail
      if (to !== null) await mailer.send({ id, to, subject, text: [...lines, ''].join('\n'), html, stopUrl })
    }
    await deleteMail(query, id)
  }
  return {
    name: ACCOUNT_MAILS,
    pollMs: SECOND_MS,
    async runDue({ workspaceId }) {
      if (workspaceId !== undefined) return 0
      const claim = { now: deps.clock.now(), firstWaitSeconds: FIRST_WAIT_SECONDS, limit: MAX_AT_ONCE }
      const rows = await claimMails(query, claim)
      await Promise.all(rows.map((row) => send(row).catch(deps.onError)))
      return rows.length
    },
    nextDue: async () => undefined,
  }
}
