import { z } from 'zod'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import { changeModules, readModules } from '../operations/modules.ts'
import { DASHBOARD } from './session.ts'

const ADMIN = { ...DASHBOARD, role: 'admin' } as const

const Switches = z.object({
  invoicing: z.boolean(),
  bookings: z.boolean(),
  reviews: z.boolean(),
  social: z.boolean(),
})

const Modules = z.object({
  modules: Switches,
  changeable: z.boolean().meta({ description: 'Whether owners can change modules in this installation.' }),
})

export const getModules = endpoint({
  ...ADMIN,
  name: 'getModules',
  method: 'GET',
  path: '/modules',
  summary: 'Get which modules are turned on, and whether the owner can change them.',
  bucket: 'reads',
  replies: { 200: Modules },
  refuses: [],
  handle: async (ctx) => reply(200, await readModules(ctx)),
})

export const patchModules = endpoint({
  ...ADMIN,
  name: 'updateModules',
  method: 'PATCH',
  path: '/modules',
  summary: 'Turn modules on and off, as the owner. Their data stays.',
  bucket: 'settings-writes',
  body: z.strictObject(Switches.partial().shape),
  replies: { 200: Modules },
  refuses: ['forbidden'],
  handle: async (ctx, { body }) => reply(200, await changeModules(ctx, body)),
})
