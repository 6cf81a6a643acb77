import { settingsRow } from '../../../../core/settings-row.ts'

export const reviewSettings = settingsRow('review_settings')
