import { type Config, ConfigError } from '../config.ts'
import { unknownSettings } from '../core/settings.ts'
import { type CommandContext, command } from './command.ts'
import { type Check, failed, ok, runCheck, warning } from './doctor-check.ts'
import { checkDatabase } from './doctor-database.ts'
import {
  checkCertificates,
  checkDataDir,
  checkDiskSpace,
  checkFiles,
  checkPages,
  checkRedis,
} from './doctor-machine.ts'
import { openForCommand } from './installation.ts'

export const doctorCommand = command({
  name: 'doctor',
  summary: 'Check the installation. The exit code is 1 if a check fails.',
  flags: {},
  run: (_, context) => runDoctor(context),
})

/** Runs all checks of an installation. */
export async function runDoctor(context: Pick<CommandContext, 'config' | 'say'>): Promise<object> {
  const checks = await examine(context)
  return { ok: checks.every(({ status }) => status !== 'failed'), checks }
}

async function examine({ config, say }: Pick<CommandContext, 'config' | 'say'>): Promise<Check[]> {
  let settings: Config
  try {
    settings = config()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // Without settings, no other check can run.
    return error.faults.map((fault) => failed('configuration', fault))
  }
  return [
    ...checkNames(),
    ...(await runCheck('data directory', () => checkDataDir(settings))),
    ...(await runCheck('disk space', () => checkDiskSpace(settings))),
    ...(await runCheck('database', () => openAndCheck(settings, say))),
    ...(await runCheck('redis', () => checkRedis(settings))),
    ...(await runCheck('files', () => checkFiles(settings))),
    ...(await runCheck('dashboard', () => checkPages())),
    ...(await runCheck('egress authorities', () => checkCertificates(settings))),
  ]
}

/** Warns of misspelt setting names, which no code reads. */
function checkNames(): Check[] {
  const unknown = unknownSettings(process.env)
  if (unknown.length === 0) return [ok('configuration', 'all settings are valid')]
  return [warning('configuration', unknown.join(' '))]
}

async function openAndCheck(settings: Config, say: (line: string) => void): Promise<Check[]> {
  const opened = await openForCommand(settings, say)
  try {
    return await checkDatabase(opened.url, settings)
  } finally {
    await opened.close()
  }
}
