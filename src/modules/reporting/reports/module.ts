import { routes } from '../../../core/endpoint.ts'
import {
  getCampaignReport,
  getResolutionReport,
  getResponseTimeReport,
  getSalesReport,
  getSatisfactionReport,
  getVolumeReport,
  getWeeklyMail,
  putWeeklyMail,
} from './endpoints.ts'
import { weeklyMailsSource } from './work/weekly-mails-source.ts'

export const reports = {
  endpoints: routes({
    'GET /reports/volume': getVolumeReport,
    'GET /reports/response-times': getResponseTimeReport,
    'GET /reports/resolution-times': getResolutionReport,
    'GET /reports/satisfaction': getSatisfactionReport,
    'GET /reports/sales': getSalesReport,
    'GET /reports/campaigns': getCampaignReport,
  }),
  dashboard: routes({
    'GET /weekly-mail': getWeeklyMail,
    'PUT /weekly-mail': putWeeklyMail,
  }),
  sources: {
    'weekly-mails': weeklyMailsSource,
  },
}
