/** How the pages are built and, under `npm run dev`, served from their sources. */
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The page of a folder is called after it: `inbox-page`. */
const pageOf = (module: string | null): string | undefined => module?.match(/\/([\w-]+)\/page\.tsx$/)?.[1]

/**
 * Few files: a line with 200 ms to each pays for every six of them again. What several parts need stands with the first group that
 * wants it.
 */
const GROUPS = [
  // What went wrong is said by nearly every page.
  { name: 'base', test: /\/dashboard\/(?:main\.tsx|shell\/notify-error\.ts)$/, priority: 5 },
  { name: 'icons', test: /\/lucide-react\//, priority: 4 },
  // Without what only editors want, and pages with charts.
  {
    name: 'controls',
    test: /\/dashboard\/kit\/(?!.*-popup|toast-list|later|unsaved|several|group|chart)[\w-]+\.tsx?$/,
    priority: 3,
  },
  { name: 'forms', test: /\/react-hook-form\/|\/dashboard\/api\/form\.ts$/, priority: 2 },
  { name: 'popups', test: /\/dashboard\/kit\/(?:[\w-]+-popup|toast-list)\.tsx$/, priority: 1 },
]

/** Has built pages load their parts by `kit/import-again.ts`. Last of all: whatever looks for imports has found them. */
const importingAgain: Plugin = {
  name: 'import-again',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk')
          file.code = file.code.replace(
            /\bimport\(\s*(["'`]\.{1,2}\/[\w./-]+\.js["'`])\s*\)/g,
            'importAgain($1,import.meta.url)',
          )
    },
  },
}

export default defineConfig({
  root: import.meta.dirname,
  // Addresses are relative: the server writes `<base href>` (src/http/dashboard-files.ts).
  base: './',
  plugins: [react(), tailwindcss(), importingAgain],
  clearScreen: false,
  logLevel: 'warn',
  build: {
    target: ['chrome125', 'edge125', 'firefox128', 'safari18'],
    // The policy of the page allows no addresses of `data:` but for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Says which files a page wants: the server has them fetched with the first one.
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: GROUPS },
        chunkFileNames: ({ facadeModuleId }) => {
          const page = pageOf(facadeModuleId)
          return page ? `assets/${page}-page-[hash].js` : 'assets/[name]-[hash].js'
        },
      },
    },
  },
})
