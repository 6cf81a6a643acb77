/** The work source that continues runs. */
export const AUTOMATIONS = 'automations'
/** The work source that starts runs without an event. */
export const AUTOMATION_TIMES = 'automation-times'
