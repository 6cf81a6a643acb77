/** Opens all connections to the outside: networks, gateways, receivers, mail, and the file store. */
import { join } from 'node:path'
import { numberOpener } from '../adapters/operator-number.ts'
import { openGatewayEgress } from '../adapters/payment-gateway.ts'
import { openSocialNetwork } from '../adapters/social-network.ts'
import { createEgress } from '../egress/egress.ts'
import { SIGNUP_RETURN_PATH } from '../http/endpoint/number-signup.ts'
import { CALLBACK_PATH } from '../http/endpoint/single-sign-on.ts'
import { openIdProvider } from '../identity-provider/openid.ts'
import { createSmtpMailer } from '../mail/smtp.ts'
import { openMediaStore } from '../media-store/open-store.ts'
import { createSpool } from '../media-store/spool.ts'
import { createGatewayStore } from '../modules/automating/sandbox/gateway-store.ts'
import { faultDirector } from '../modules/automating/sandbox/operator-faults.ts'
import { createSimulatorStore } from '../modules/automating/sandbox/simulator-store.ts'
import { HANDOVERS_AT_ONCE } from '../modules/messaging/messages/handover/lane-calls.ts'
import { createCloudOperator } from '../operator/cloud/operator.ts'
import { createCloudSignup } from '../operator/cloud/signup.ts'
import { nearCalls } from '../operator/simulator/in-process-calls.ts'
import { startSimulator } from '../operator/simulator/start.ts'
import { startGatewaySimulator } from '../payment-gateway/simulator/start.ts'
import { createPdfRenderer } from '../pdf/pdf-renderer.ts'
import type { BackgroundOptions } from './background-options.ts'

/** Connections to the operator besides those for submitting messages: files, templates, read marks. */
const OTHER_CALLS_AT_ONCE = 128

/**
 * Starts the simulators of sandboxes. The adapters of the real services call them over the loopback address,
 * except for calls to the operator, which need no connection.
 */
async function startSimulators({ database, clock, sealer, directory, log }: BackgroundOptions) {
  const logError = (message: string, error: unknown) => log.error({ err: error }, message)
  const simulatorOptions = {
    store: createSimulatorStore({ database, clock, sealer, directory }),
    director: faultDirector({ query: database.query, clock, directory }),
    log: logError,
  }
  const operator = await startSimulator({ ...simulatorOptions, host: '127.0.0.1', port: 0 })
  const gateway = await startGatewaySimulator({
    store: createGatewayStore({ database, clock, sealer, workspace: directory.workspace }),
    settings: () => ({ uniqueReferences: true, payPage: 'https://pay.example/i' }),
    log: logError,
  })
  return {
    operatorUrl: operator.url,
    near: nearCalls({ ...simulatorOptions, origin: operator.url }),
    gatewayUrl: gateway.url,
    close: () => Promise.all([operator.close(), gateway.close()]),
  }
}

export type OutboundConnections = Awaited<ReturnType<typeof openOutboundConnections>>

export async function openOutboundConnections(options: BackgroundOptions) {
  const { config, log, clock, database, directory, sealer, onFault } = options
  const egress = createEgress({
    allow: config.egressAllow,
    ca: config.egressCa,
    nameServers: options.nameServers,
  })
  const simulators = await startSimulators(options)
  const cloud = createCloudOperator({
    connections: HANDOVERS_AT_ONCE + OTHER_CALLS_AT_ONCE,
    near: simulators.near,
    otherHosts: (url, call) => egress.open({ target: egress.prepareTarget(url), ...call }),
  })
  const operator = options.tracing?.operator(cloud) ?? cloud
  const mediaStore = await openMediaStore(config, clock)
  // Without the file store, files wait; everything else continues.
  mediaStore.check().catch((error: unknown) => log.error({ err: error }, 'media store check failed'))
  const gatewayEgress = openGatewayEgress(config)
  const social = await openSocialNetwork({
    config,
    clock,
    database,
    sealer,
    onError: (error) => onFault('social-network', error),
  })
  const mailer = config.mail ? createSmtpMailer({ ...config.mail, ca: config.egressCa }) : null
  const identityProvider = config.oidc
    ? openIdProvider(config.oidc, { egress: gatewayEgress, redirectUri: config.siteUrl + CALLBACK_PATH })
    : null
  const operatorSignup = config.operatorApp
    ? createCloudSignup({
        app: config.operatorApp,
        baseUrl: config.operatorUrl,
        redirectUri: config.siteUrl + SIGNUP_RETURN_PATH,
      })
    : null
  const pdf = createPdfRenderer()
  return {
    egress,
    simulators,
    operator,
    operatorSignup,
    operatorNumber: numberOpener({ config, directory, sealer, simulatorUrl: simulators.operatorUrl }),
    mediaStore,
    gatewayEgress,
    social,
    mailer,
    identityProvider,
    pdf,
    spool: createSpool(join(config.dataDir, 'spool')),
    /** Aborts calls in flight. The simulators stay, because they may still answer an aborted call. */
    close: async () => {
      await operator.close()
      await operatorSignup?.close()
      await social.close()
      mailer?.close()
      await egress.close()
      await gatewayEgress.close()
      await mediaStore.close()
      await pdf.close()
    },
  }
}
