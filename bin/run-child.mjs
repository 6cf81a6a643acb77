import { spawn } from 'node:child_process'

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP']
const parentPollMilliseconds = 250

/**
 * Runs a command on this terminal until it ends. Forwards signals without ending this process: the command
 * decides when its clean stop is done. It stays in this process group, so that killing the group kills it
 * too; after Ctrl-C it may therefore receive the same signal twice.
 * @param {string} file
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<{ code: number | null, signal: string | null }>}
 */
export function runChild(file, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit', ...options })
    let isAnnounced = false
    const forwardSignal = (signal) => {
      isAnnounced = true
      child.kill(signal)
    }
    const stopWatching = watchNpm(() => isAnnounced || forwardSignal('SIGTERM'))
    const release = () => {
      stopWatching()
      for (const signal of forwarded) process.off(signal, forwardSignal)
    }
    for (const signal of forwarded) process.on(signal, forwardSignal)
    child.once('error', (error) => {
      release()
      reject(error)
    })
    child.once('close', (code, signal) => {
      release()
      resolve({ code, signal })
    })
  })
}

// npm sends signals only to the shell between npm and this process, and the shell ends without forwarding
// them, so its end counts as a signal. A process started by hand may outlive its shell.
function watchNpm(ended) {
  if (!process.env.npm_lifecycle_event) return () => {}
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    ended()
  }, parentPollMilliseconds)
  return () => clearInterval(timer)
}
