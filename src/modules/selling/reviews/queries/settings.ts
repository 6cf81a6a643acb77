import { settingsRow } from '../../../../database/sql/settings-row.ts'

export const reviewSettings = settingsRow('review_settings')
