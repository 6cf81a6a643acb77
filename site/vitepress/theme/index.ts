/** The default theme with the fonts of the system and the colors of the dashboard. */
import theme from 'vitepress/theme-without-fonts'
import './style.css'

export default theme
