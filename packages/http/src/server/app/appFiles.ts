/** The page's program and style, each as one text. */
export interface AppFiles {
  readonly script: string
  readonly style: string
}

/** Not a literal: the bundler is no source of the package, and the compiler would follow it there. */
const bundler = new URL("../../../bundleApp.ts", import.meta.url).href

/** Bundled when first asked for in a checkout. A build has the texts in place of this module: see `bundleApp.ts`. */
export const appFiles = async (): Promise<AppFiles> => {
  const { bundleApp }: { readonly bundleApp: () => Promise<AppFiles> } = await import(bundler)
  return bundleApp()
}
