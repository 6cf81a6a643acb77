/** Checks the conditions for a valid journal: the same boot, and a folder on a local file system. */
import { readFileSync, statfsSync } from 'node:fs'

/**
 * Returns the ID of this boot; undefined if the system does not report it (only Linux does). A stopping
 * machine loses unflushed writes, so a journal of an earlier boot may lack entries.
 */
export function currentBoot(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

/**
 * Types of file systems (statfs) that other machines share or that a process serves: a write to them may
 * hang.
 */
const REMOTE = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB2
  0x65735546, // FUSE
  0x01021997, // 9P
  0x00c36400, // Ceph
  0x5346414f, // AFS
  0x6b414653, // kAFS
  0x73757245, // Coda
  0x0bd00bd0, // Lustre
  0x7461636f, // OCFS2
  0x01161970, // GFS2
  0x47504653, // GPFS
  0x786f4256, // VirtualBox shared folders
])

/** Returns whether the folder is on a file system of this machine only. Throws if it cannot be checked. */
export const isLocal = (folder: string): boolean => !REMOTE.has(statfsSync(folder).type >>> 0)
