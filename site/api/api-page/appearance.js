// Uses the same appearance as the other pages, before the page is painted.
const chosen = localStorage.getItem('vitepress-theme-appearance') ?? 'auto'
const isDark = chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.classList.toggle('dark-mode', isDark)
