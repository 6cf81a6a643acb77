import { spawn } from 'node:child_process'

const PATIENCE_MS = 30_000

/**
 * Asks the registry whether a package of the lock file has a high or critical vulnerability. Returns false if
 * so. If the registry can't be reached (offline, or a mirror without advisories), prints that and returns
 * undefined, because all other checks must work without a network.
 */
export async function audit(root) {
  const report = await askRegistry(root)
  const counts = report?.metadata?.vulnerabilities
  if (!counts) {
    console.log('!! THE DEPENDENCIES WERE NOT AUDITED: the registry did not answer with advisories.')
    console.log(`!! ${report?.message ?? 'npm could not be run, or took too long.'}`)
    return undefined
  }
  const grave = Object.values(report.vulnerabilities ?? {}).filter(({ severity }) =>
    ['high', 'critical'].includes(severity),
  )
  for (const { name, severity, range } of grave) console.log(`${severity}: ${name} ${range}`)
  const others = counts.total - grave.length
  console.log(
    `${grave.length} high or critical, ${others} lesser, of ${report.metadata.dependencies?.total ?? '?'} packages`,
  )
  return grave.length === 0
}

// npm exits with an error both for vulnerabilities and for a failed request; only its output shows which.
function askRegistry(root) {
  return new Promise((resolve) => {
    const script = process.env.npm_execpath
    const [program, ...before] = script?.endsWith('.js') ? [process.execPath, script] : ['npm']
    const child = spawn(program, [...before, 'audit', '--json', '--package-lock-only'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: PATIENCE_MS,
    })
    let text = ''
    child.stdout.on('data', (piece) => {
      text += piece
    })
    child.once('error', () => resolve(undefined))
    child.once('close', () => {
      try {
        resolve(JSON.parse(text))
      } catch {
        resolve(undefined)
      }
    })
  })
}
