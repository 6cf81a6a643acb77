import { lazyComponent } from '../../kit/lazy.tsx'

export const PostDetail = lazyComponent(() => import('./post-detail.tsx').then((module) => module.PostDetail))
