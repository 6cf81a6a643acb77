/** The source of background work that takes runs further. */
export const AUTOMATIONS = 'automations'
/** The source that starts what no event starts. */
export const AUTOMATION_TIMES = 'automation-times'
