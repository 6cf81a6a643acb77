/**
 * The routes without an API key: callbacks of networks and gateways, the capture link, signed files, sign-in links, and public
 * pages.
 */
import type { FastifyInstance } from 'fastify'
import { appTokens } from '../adapters/app-tokens.ts'
import { formCapture } from '../adapters/form-capture.ts'
import { gatewayIntake } from '../adapters/gateway-intake.ts'
import { fileServing } from '../adapters/media-links.ts'
import { signupReturns } from '../adapters/number-signups.ts'
import { operatorIntake } from '../adapters/operator-intake.ts'
import { shopIntake } from '../adapters/shop-intake.ts'
import { linkOpener } from '../adapters/sign-in-links.ts'
import { providerSignIn } from '../adapters/single-sign-on.ts'
import { socialIntake } from '../adapters/social-intake.ts'
import { bodyBudget } from '../http/callbacks/body-budget.ts'
import { gatewayCallback } from '../http/callbacks/gateway-callback.ts'
import { leadCapture } from '../http/callbacks/lead-capture.ts'
import { operatorCallback } from '../http/callbacks/operator-callback.ts'
import { refusedCallbacks } from '../http/callbacks/refused-callbacks.ts'
import { shopIntakeRoute } from '../http/callbacks/shop-intake.ts'
import type { CallbackGuard } from '../http/callbacks/signed-callback.ts'
import { socialCallback } from '../http/callbacks/social-callback.ts'
import { numberSignup } from '../http/endpoint/number-signup.ts'
import { signInLink } from '../http/endpoint/sign-in-link.ts'
import { singleSignOn } from '../http/endpoint/single-sign-on.ts'
import { fileDownloads } from '../http/files/file-downloads.ts'
import { oauthRoutes } from '../http/oauth/oauth-routes.ts'
import { limitedByAddress } from '../http/rate-limit/limits.ts'
import { keepCallback } from '../modules/platform/workspaces/operations/keep-callback.ts'
import { HONEYPOT, REDIRECT } from '../modules/selling/crm/operations/capture-fields.ts'
import { cellsPlugin, tokenForwarder } from './cells-plugin.ts'
import { publicPagesPlugin } from './public-pages.ts'
import type { ServiceParts } from './server-parts.ts'

export type Plugin = (app: FastifyInstance) => void

const callbacks = (parts: ServiceParts, guard: CallbackGuard): Plugin[] => [
  operatorCallback(guard, operatorIntake(parts)),
  socialCallback(guard, socialIntake(parts)),
  gatewayCallback(guard, gatewayIntake({ ...parts, connection: parts.outside.gatewayConnection })),
  shopIntakeRoute(guard, shopIntake(parts)),
]

function capture(parts: ServiceParts, { budget, moving }: CallbackGuard): Plugin {
  const { clock, directory, database, log } = parts
  return leadCapture({
    ...parts.byAddress,
    directory,
    budget,
    moving,
    siteUrl: parts.config.siteUrl,
    fields: { honeypot: HONEYPOT, redirect: REDIRECT },
    capture: formCapture(database, clock),
    onError: (error) => log.error({ err: error }, 'lead capture failed'),
  })
}

function files(parts: ServiceParts): Plugin {
  const { clock, directory, database, log } = parts
  const serving = fileServing({
    database,
    directory,
    clock,
    store: parts.outside.mediaStore,
    tokens: parts.fileTokens,
    onError: (error) => log.error({ err: error }, 'serving a file failed'),
  })
  return fileDownloads(serving, limitedByAddress(parts.byAddress, 'keyless'))
}

const signInLinks = (parts: ServiceParts): Plugin =>
  signInLink({
    site: parts.site,
    clock: parts.clock,
    trustProxy: parts.config.trustProxy,
    limited: limitedByAddress(parts.byAddress, 'keyless'),
    open: linkOpener(parts),
    onError: (error) => parts.log.error({ err: error }, 'opening a sign-in link failed'),
  })

const singleSignOns = (parts: ServiceParts): Plugin =>
  singleSignOn({
    site: parts.site,
    clock: parts.clock,
    trustProxy: parts.config.trustProxy,
    limited: limitedByAddress(parts.byAddress, 'keyless'),
    ...providerSignIn({
      ...parts,
      provider: parts.outside.identityProvider,
      onFault: (error) => parts.log.warn({ err: error }, 'single sign-on failed'),
    }),
    onError: (error) => parts.log.error({ err: error }, 'single sign-on failed'),
  })

const numberSignups = (parts: ServiceParts): Plugin =>
  numberSignup({
    site: parts.site,
    limited: limitedByAddress(parts.byAddress, 'keyless'),
    record: signupReturns(parts),
    onError: (error) => parts.log.error({ err: error }, "the operator's answer to a signup was not stored"),
  })

const oauth = (parts: ServiceParts): Plugin =>
  oauthRoutes({
    siteUrl: parts.config.siteUrl,
    limited: limitedByAddress(parts.byAddress, 'keyless'),
    ...appTokens(parts),
    forward: tokenForwarder(parts),
    onError: (error) => parts.log.error({ err: error }, 'a token of an app failed'),
  })

const guardOf = ({ connections, clock, config, database, log }: ServiceParts): CallbackGuard => ({
  budget: bodyBudget(connections.heldBodyBytes),
  refused: refusedCallbacks(clock, config.trustProxy),
  moving: {
    trustProxy: config.trustProxy,
    keep: (call) => keepCallback({ query: database.query, clock }, call),
  },
  onError: (error) => log.error({ err: error }, 'webhook callback failed'),
})

/** The routes whose calls are kept while their workspace moves. */
const keepingRoutes = (parts: ServiceParts, guard: CallbackGuard): Plugin[] => [
  ...callbacks(parts, guard),
  capture(parts, guard),
]

/** Returns the routes that receive kept calls again. */
export const replayRoutes = (parts: ServiceParts): Plugin[] => keepingRoutes(parts, guardOf(parts))

export function keylessRoutes(parts: ServiceParts): Plugin[] {
  const guard = guardOf(parts)
  return [
    ...keepingRoutes(parts, guard),
    files(parts),
    signInLinks(parts),
    singleSignOns(parts),
    numberSignups(parts),
    oauth(parts),
    publicPagesPlugin(parts, guard.budget),
    cellsPlugin(parts),
  ]
}
