// The service on an external database with short limits for transactions: `node parley-child.ts`, configured
// by environment variables.
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
