/** What the endpoints of spec 4.8 have in common. */
const face = { tag: 'Webhooks', section: '4.8' } as const

/** Keys below admin manage what they registered, when their scope list says so. */
export const managing = { ...face, scope: 'webhooks:manage', role: 'admin', scopeOverRole: true } as const
export const reading = { ...face, scope: 'webhooks:read', role: 'viewer', bucket: 'reads' } as const
