import { randomBytes } from 'node:crypto'
import { DAY_MS, later, SECOND_MS } from '../../../core/clock.ts'
import { graphError } from '../../../operator/simulator/graph-errors.ts'
import type { Calls } from '../call.ts'
import { mentionOf } from '../mentions.ts'
import { nodeAnswer } from '../node-fields.ts'

const TOKEN_MS = 60 * DAY_MS

export const accountCalls: Calls = {
  'account GET': async (call) => {
    const { account, store, values } = call
    const mention = await mentionOf(call)
    if (mention) return mention
    const node = {
      id: account.networkId,
      user_id: account.networkId,
      username: account.username,
      name: account.username,
      profile_picture_url: `${call.url}/pictures/${account.networkId}.jpg`,
      followers_count: 1200,
      follows_count: 10,
      media_count: (await store.list(account, 'media')).length,
    }
    return nodeAnswer(node, values.fields, { byDefault: ['id'], type: 'IGUser' })
  },
  'app GET refresh_access_token': async ({ store, account, values }) => {
    if (values.grant_type !== 'ig_refresh_token')
      return graphError(100, '(#100) Param grant_type must be one of {ig_refresh_token}')
    const token = `${account.networkId}.${randomBytes(32).toString('base64url')}`
    await store.keep(account, {
      kind: 'token',
      id: token,
      value: {},
      expiresAt: later(store.currentTime(), TOKEN_MS),
    })
    return {
      status: 200,
      body: { access_token: token, token_type: 'bearer', expires_in: TOKEN_MS / SECOND_MS },
    }
  },
}
