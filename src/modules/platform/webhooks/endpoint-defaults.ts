/** Common settings of the endpoints of spec 4.8. */
const shared = { tag: 'Webhooks', section: '4.8' } as const

/** Keys below admin manage the endpoints that they registered, if their scopes allow it. */
export const managing = { ...shared, scope: 'webhooks:manage', role: 'admin', scopeOverRole: true } as const
export const read = { ...shared, scope: 'webhooks:read', role: 'viewer', bucket: 'reads' } as const
