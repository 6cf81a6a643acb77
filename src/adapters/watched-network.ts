/** Wraps the photo network for requests and jobs: an invalid token changes the account's state. */
import type { Database } from '../core/context.ts'
import { noteTokenRefused } from '../modules/selling/social/operations/accounts.ts'
import type { Answered, SocialAccount, SocialNetwork } from '../social-network/port.ts'
import type { OpenedAccount } from './social-account.ts'

/** An account opened from its record, which contains its sealed token. */
const isOpened = (account: SocialAccount): account is OpenedAccount => 'record' in account

/** Wraps every call: a refused token marks the account `reconnect_required`. */
export function watchedNetwork(
  network: SocialNetwork,
  { database, onError }: { database: Database; onError(error: unknown): void },
): SocialNetwork {
  const recordAnswer = async (account: SocialAccount, answered: Answered<unknown>): Promise<void> => {
    if (answered.kind !== 'refused' || answered.error.kind !== 'token' || !isOpened(account)) return
    // A failure to record this must not change the caller's answer.
    await database
      .tenantIds([account.workspaceId], (unit) =>
        noteTokenRefused(unit, account.record, answered.error.message),
      )
      .catch(onError)
  }
  const watched =
    <Rest extends unknown[], Value>(
      call: (account: SocialAccount, ...rest: Rest) => Promise<Answered<Value>>,
    ) =>
    async (account: SocialAccount, ...rest: Rest): Promise<Answered<Value>> => {
      const answered = await call(account, ...rest)
      await recordAnswer(account, answered)
      return answered
    }
  return {
    sendText: watched(network.sendText),
    findCustomer: watched(network.findCustomer),
    sendPrivateReply: watched(network.sendPrivateReply),
    replyToComment: watched(network.replyToComment),
    replyToMention: watched(network.replyToMention),
    setCommentHidden: watched(network.setCommentHidden),
    findMention: watched(network.findMention),
    createContainer: watched(network.createContainer),
    findContainer: watched(network.findContainer),
    publishContainer: watched(network.publishContainer),
    findPublishingQuota: watched(network.findPublishingQuota),
    listMedia: watched(network.listMedia),
    findMedia: watched(network.findMedia),
    findAccountInsights: watched(network.findAccountInsights),
    findMediaInsights: watched(network.findMediaInsights),
    findProfile: watched(network.findProfile),
    refreshToken: watched(network.refreshToken),
  }
}
