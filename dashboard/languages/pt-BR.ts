/** The texts of all folders, in one file of the build. */
export default import.meta.glob<Record<string, string>>('../**/pt-BR.json', {
  eager: true,
  import: 'default',
})
