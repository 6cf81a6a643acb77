import { resolve } from 'node:path'
import { systemClock } from '../core/clock.ts'
import { openMediaStore } from '../media-store/open-store.ts'
import { prepareEmptyFolder } from './backup/back-up.ts'
import { command } from './command.ts'
import { exportWorkspace } from './export/export-workspace.ts'
import { id, required, text } from './flags.ts'
import { openForCommand } from './installation.ts'

export const exportCommand = command({
  name: 'export',
  summary: "Export a workspace's data as JSON lines, one file for each kind of record, with its media files.",
  flags: { workspace: required(id()), to: required(text('DIR')) },
  run: async ({ workspace, to }, { config, say }) => {
    const settings = config()
    const folder = resolve(to)
    await prepareEmptyFolder(folder)
    const store = await openMediaStore(settings, systemClock)
    const opened = await openForCommand(settings, say)
    try {
      const { records, files } = await exportWorkspace(opened.url, workspace, folder, store)
      return {
        export: folder,
        workspaceId: workspace,
        records,
        files: files.count,
        missingFiles: files.missing,
      }
    } finally {
      await opened.close()
      await store.close()
    }
  },
})
