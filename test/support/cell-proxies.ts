/** nginx and Caddy in front of several cells, with the configuration files of deploy/cells. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './redis-server.ts'
import { until } from './until.ts'

const DEPLOY = join(import.meta.dirname, '../../deploy/cells')

export type RunningProxy = { url: string; stop(): Promise<void> }

/** The path of a program of this machine, if it is installed. */
export function findProgram(name: string): string | undefined {
  try {
    const script = `command -v ${name}`
    const env = { PATH: `${process.env.PATH}:/usr/sbin:${process.env.HOME}/go/bin` }
    return execFileSync('sh', ['-c', script], { encoding: 'utf8', env }).trim()
  } catch {
    return undefined
  }
}

/** Replaces a text that the file must have. */
function replaced(text: string, pairs: [pattern: RegExp, replacement: string][]): string {
  return pairs.reduce((current, [pattern, replacement]) => {
    if (!pattern.test(current)) throw new Error(`The configuration has no ${pattern}.`)
    return current.replace(pattern, replacement)
  }, text)
}

/** Runs a proxy until `stop`; resolves once it answers. */
async function startProxy(
  url: string,
  folder: string,
  command: [string, ...string[]],
): Promise<RunningProxy> {
  const [program, ...words] = command
  const child: ChildProcess = spawn(program, words, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr!.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  await until(async () => {
    if (child.exitCode !== null) throw new Error(log)
    return fetch(url).then(
      () => true,
      () => false,
    )
  }, `${program} answers at ${url}`)
  return {
    url,
    stop: async () => {
      if (child.exitCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The hosts and ports of the processes that answer the proxy's questions. */
const hostsOf = (urls: string[]): string[] => urls.map((url) => new URL(url).host)

/** Starts nginx with deploy/cells/nginx.conf, but without TLS. */
export async function startNginx(program: string, routers: string[]): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-nginx-'))
  mkdirSync(join(folder, 'logs'))
  const port = await freePort()
  const site = replaced(readFileSync(join(DEPLOY, 'nginx.conf'), 'utf8'), [
    [
      /(\s+server 127\.0\.0\.1:\d+ [^;]*;)+/,
      hostsOf(routers)
        .map((host) => `\n server ${host};`)
        .join(''),
    ],
    [/listen 443 ssl http2;/, `listen 127.0.0.1:${port};`],
    [/ssl_certificate .*;/, ''],
    [/ssl_certificate_key .*;/, ''],
  ])
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; pid ${folder}/nginx.pid; worker_processes 1; error_log stderr;
events {}
http {
access_log off;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
${site}
}`,
  )
  return startProxy(`http://127.0.0.1:${port}`, folder, [program, '-p', folder, '-c', file])
}

/** Starts Caddy with deploy/cells/Caddyfile, but without TLS. */
export async function startCaddy(program: string, routers: string[]): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-caddy-'))
  const port = await freePort()
  const site = replaced(readFileSync(join(DEPLOY, 'Caddyfile'), 'utf8'), [
    [/^parley\.example\.com \{/m, `http://127.0.0.1:${port} {`],
    [/forward_auth (127\.0\.0\.1:\d+ ?)+\{/, `forward_auth ${hostsOf(routers).join(' ')} {`],
  ])
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, `{\n admin off\n auto_https off\n}\n${site}`)
  return startProxy(`http://127.0.0.1:${port}`, folder, [program, 'run', '--config', file])
}
