import { routes } from '../../../core/endpoint.ts'
import { cancelErasedLink, cancelPaymentLink, endOpenLink } from './cancel-jobs.ts'
import {
  getPaymentRequest,
  getPaymentRequests,
  postPaymentRequest,
  postPaymentRequestCancel,
} from './endpoints.ts'
import { paymentPaid } from './events.ts'
import { checkPayment, expirePaymentRequest, makePaymentLink, readRefunds } from './jobs.ts'
import { checkOpenLink, makeOpenLink } from './link-jobs.ts'
import { gatewayPostsRetentionSource } from './work/gateway-posts-retention-source.ts'
import { gatewayPostsSource } from './work/gateway-posts-source.ts'

export const payments = {
  endpoints: routes({
    'POST /payment-requests': postPaymentRequest,
    'GET /payment-requests': getPaymentRequests,
    'GET /payment-requests/:id': getPaymentRequest,
    'POST /payment-requests/:id/cancel': postPaymentRequestCancel,
  }),
  events: [paymentPaid],
  jobs: [
    makePaymentLink,
    cancelPaymentLink,
    cancelErasedLink,
    checkPayment,
    readRefunds,
    expirePaymentRequest,
    makeOpenLink,
    checkOpenLink,
    endOpenLink,
  ],
  sources: {
    'gateway-posts': gatewayPostsSource,
    'gateway-posts-retention': gatewayPostsRetentionSource,
  },
}
