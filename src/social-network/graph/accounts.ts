import { textOrNull } from '../../core/values/storable.ts'
import type { AccountCalls } from '../port.ts'
import { type Line, readAnswer, segment } from './line.ts'
import { countOrNull, networkIdOrNull } from './values.ts'

export const accountCalls = (line: Line): AccountCalls => ({
  findProfile: async (account) =>
    readAnswer(
      await line(account, {
        method: 'GET',
        path: segment(account.networkId),
        query: { fields: 'user_id,username,name,followers_count,profile_picture_url' },
      }),
      (value) => {
        const [id, userId] = [networkIdOrNull(value.id), networkIdOrNull(value.user_id)]
        const username = textOrNull(value.username)
        const networkId = userId ?? id
        if (networkId === null || username === null) return undefined
        return {
          networkId,
          scopedId: id === networkId ? null : id,
          username,
          name: textOrNull(value.name),
          followers: countOrNull(value.followers_count),
          pictureUrl: textOrNull(value.profile_picture_url),
        }
      },
    ),
  refreshToken: async (account) =>
    readAnswer(
      await line(account, {
        method: 'GET',
        path: '/refresh_access_token',
        query: { grant_type: 'ig_refresh_token', access_token: account.token },
      }),
      (value) => {
        const token = textOrNull(value.access_token)
        const expiresInSeconds = countOrNull(value.expires_in)
        return token === null || expiresInSeconds === null ? undefined : { token, expiresInSeconds }
      },
    ),
})
