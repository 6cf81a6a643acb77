import type { Config } from '../config.ts'
import { refuse } from '../core/errors.ts'
import { createEgress } from '../egress/egress.ts'
import { createGraphNetwork } from '../social-network/graph/network.ts'
import type { NetworkProfile, SocialAccount } from '../social-network/port.ts'
import { networkRefusal } from '../social-network/refusals.ts'
import { BASE_ADDRESSES } from './social-network.ts'

/** Returns an account that is not connected yet, for the call that asks for its profile. */
export const newSocialAccount = (
  { socialUrl }: Pick<Config, 'socialUrl'>,
  networkId: string,
): Omit<SocialAccount, 'token'> => ({
  id: networkId,
  workspaceId: '',
  network: 'graph',
  networkId,
  username: '',
  baseUrl: socialUrl,
})

/**
 * Asks the network which account a token belongs to, before the account is connected. Throws a refusal if the
 * token is invalid or belongs to another account than `networkId`.
 */
export async function fetchProfile(
  config: Config,
  { token, networkId }: { token: string; networkId: string },
): Promise<NetworkProfile> {
  const egress = createEgress({ allow: [...config.egressAllow, ...BASE_ADDRESSES], ca: config.egressCa })
  try {
    const answered = await createGraphNetwork({ egress }).findProfile({
      ...newSocialAccount(config, networkId),
      token,
    })
    if (answered.kind !== 'done') throw networkRefusal(answered)
    const profile = answered.value
    if (![profile.networkId, profile.scopedId].includes(networkId))
      refuse(
        'invalid',
        `The token belongs to the account ${profile.networkId} (${profile.username}), not to ${networkId}.`,
      )
    return profile
  } finally {
    await egress.close()
  }
}
