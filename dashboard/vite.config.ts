/** How the pages are built and, under `npm run dev`, served from their sources. */
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  // Addresses are relative: the server writes `<base href>` (src/http/dashboard-files.ts).
  base: './',
  plugins: [react(), tailwindcss()],
  clearScreen: false,
  logLevel: 'warn',
  build: {
    target: ['chrome125', 'edge125', 'firefox128', 'safari18'],
    // The policy of the page allows no addresses of `data:` but for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
