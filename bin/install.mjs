import { linkSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { runChild } from './run-child.mjs'

/**
 * Installs the packages of the lock file unless exactly those are installed. Reports this on standard error.
 */
export async function installMissing(root) {
  if (missingPackages(root).length === 0) return
  const release = await takeTurn(join(root, '.parley', 'install.lock'))
  try {
    // Another process may have installed the packages while this one waited.
    if (missingPackages(root).length === 0) return
    console.error('Installing packages (first run, or they changed) ...')
    await runNpm(root)
    const missing = missingPackages(root)
    // npm skips optional packages that it can't download. Features that need them report it themselves.
    console.error(
      missing.length === 0 ? 'Packages installed.' : `Packages installed, without ${missing.join(', ')}.`,
    )
  } finally {
    release()
  }
}

/**
 * Returns the names of packages in the lock file that are missing on this machine or have another version.
 * npm writes node_modules/.package-lock.json after a complete installation; it does not list packages of
 * other platforms.
 */
export function missingPackages(root) {
  const lockedPackages = readJson(join(root, 'package-lock.json'))?.packages ?? {}
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages
  return Object.entries(lockedPackages)
    .filter(([path, expected]) => path !== '' && !isInstalled(installed?.[path], expected))
    .map(([path]) => path.split('node_modules/').at(-1))
}

function isInstalled(found, expected) {
  if (!found) return Boolean(expected.optional) && !isForThisMachine(expected)
  return found.version === expected.version && found.integrity === expected.integrity
}

// npm may also skip an optional package that names no platform.
function isForThisMachine({ os, cpu, libc }) {
  return Boolean(os && cpu && !libc && os.includes(process.platform) && cpu.includes(process.arch))
}

async function runNpm(root) {
  const flags = ['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund']
  const npm = process.env.npm_execpath
  const [file, args] = npm?.endsWith('.js') ? [process.execPath, [npm, ...flags]] : ['npm', flags]
  // npm's report goes to standard error, because standard output belongs to the command that follows.
  const stdio = ['ignore', 2, 2]
  const { code, signal } = await runChild(file, [...args, '--loglevel=error'], { cwd: root, stdio })
  if (signal) process.kill(process.pid, signal)
  if (code !== 0)
    throw new Error('Installing the packages failed: see the output above. Nothing was started. Try again.')
}

/** Allows one installation at a time in a clone. Ignores the lock of a process that no longer runs. */
async function takeTurn(path) {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, JSON.stringify({ pid: process.pid, startTime: startTime(process.pid) }))
  let isAnnounced = false
  try {
    while (!tryLink(draft, path)) {
      const owner = readJson(path)
      if (!owner || startTime(owner.pid) !== owner.startTime) rmSync(path, { force: true })
      else if (!isAnnounced) {
        isAnnounced = true
        console.error(`Waiting for process ${owner.pid}, which is installing the packages ...`)
      }
      await wait(200)
    }
  } finally {
    rmSync(draft, { force: true })
  }
  return () => {
    rmSync(path, { force: true })
    try {
      rmdirSync(dirname(path))
    } catch {
      // The folder is the data directory, and also contains other files.
    }
  }
}

function tryLink(from, to) {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

// Distinguishes a process from a later one with the same ID; null if it no longer runs.
function startTime(pid) {
  try {
    if (process.platform !== 'linux') return process.kill(pid, 0) && 'running'
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : fields[19]
  } catch {
    return null
  }
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
