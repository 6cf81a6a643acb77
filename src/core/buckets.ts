/** One token bucket: a full one allows `burst` requests immediately; `refill` tokens are added every `perSeconds`. */
export type Bucket = { readonly burst: number; readonly refill: number; readonly perSeconds: number }

/**
 * Every rate bucket, in the order and with the names of spec 8.1. All figures are whole numbers: the limiter counts in
 * integers, so it never loses a token to rounding.
 */
export const BUCKETS = {
  reads: { burst: 600, refill: 60, perSeconds: 1 },
  send: { burst: 200, refill: 50, perSeconds: 1 },
  'media-upload': { burst: 200, refill: 50, perSeconds: 1 },
  'webhook-create': { burst: 60, refill: 30, perSeconds: 1 },
  'webhook-changes': { burst: 60, refill: 1, perSeconds: 1 },
  'contact-writes': { burst: 120, refill: 10, perSeconds: 1 },
  'contact-erasure': { burst: 20, refill: 1, perSeconds: 3 },
  'inbox-update': { burst: 120, refill: 10, perSeconds: 1 },
  'inbox-notes': { burst: 120, refill: 10, perSeconds: 1 },
  'broadcast-cancel': { burst: 30, refill: 1, perSeconds: 2 },
  'webhook-rotation': { burst: 5, refill: 5, perSeconds: 3600 },
  'template-create': { burst: 50, refill: 50, perSeconds: 3600 },
  'broadcast-create': { burst: 10, refill: 10, perSeconds: 3600 },
  'crm-writes': { burst: 120, refill: 10, perSeconds: 1 },
  'social-reply': { burst: 120, refill: 30, perSeconds: 1 },
  'social-comment-reply': { burst: 60, refill: 1, perSeconds: 1 },
  'social-comment-hide': { burst: 60, refill: 1, perSeconds: 1 },
  'social-posts': { burst: 60, refill: 1, perSeconds: 1 },
  'social-media': { burst: 30, refill: 1, perSeconds: 2 },
  'social-live': { burst: 30, refill: 1, perSeconds: 2 },
  payments: { burst: 30, refill: 1, perSeconds: 2 },
  'lead-capture': { burst: 30, refill: 30, perSeconds: 60 },
  // Not in the spec: docs/decisions/rate-limits.md
  // Requests without a key, by client address: docs/decisions/rate-limits.md
  keyless: { burst: 1200, refill: 120, perSeconds: 1 },
  'public-pages': { burst: 60, refill: 60, perSeconds: 60 },
  'refused-callbacks': { burst: 120, refill: 2, perSeconds: 1 },
  'template-delete': { burst: 30, refill: 1, perSeconds: 2 },
  'settings-writes': { burst: 120, refill: 10, perSeconds: 1 },
  'bulk-writes': { burst: 30, refill: 1, perSeconds: 2 },
  'payment-cancel': { burst: 30, refill: 1, perSeconds: 2 },
  'invoicing-writes': { burst: 60, refill: 2, perSeconds: 1 },
  'bookings-writes': { burst: 120, refill: 10, perSeconds: 1 },
  assistant: { burst: 20, refill: 1, perSeconds: 3 },
  'sandbox-clock': { burst: 200, refill: 50, perSeconds: 1 },
} as const satisfies Record<string, Bucket>

/** The name of a rate bucket, as endpoints declare it. */
export type BucketName = keyof typeof BUCKETS
