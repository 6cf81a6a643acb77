// The service over an external database whose limits on transactions are short: `node parley-child.ts`, set up by environment.
import { readConfig } from '../../src/config.ts'
import { openLog } from '../../src/logging/log.ts'
import { startParley } from '../../src/startup/start.ts'

const config = readConfig(process.env, process.cwd())
const parley = await startParley({
  config,
  databaseUrl: config.databaseUrl as string,
  secretKey: config.secretKey as string,
  log: openLog(config.logLevel),
  databaseLimits: { idleTransactionMs: 2_000, statementMs: 1_500 },
})
process.on('SIGTERM', () => {
  parley.close().then(
    () => process.exit(0),
    () => process.exit(1),
  )
})
