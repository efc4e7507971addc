/** The program and style of a page, each as one text. */
export interface PageFiles {
  readonly script: string
  readonly style: string
}

/** `app` shows wallets, `admin` is the operator's console. */
export type PageName = "app" | "admin"

export type AppFiles = Readonly<Record<PageName, PageFiles>>

/** Not literals: the bundler is no source of the package, and the compiler would follow it there. */
const bundler = new URL("../../../bundleApp.ts", import.meta.url).href
const built = new URL("../../../dist/server/app/appFiles.js", import.meta.url).href

interface Module {
  readonly appFiles: () => Promise<AppFiles>
}

/**
 * Bundled when first asked for in a checkout; without its development dependencies, what was built there last. A build
 * has the texts in place of this module: see `bundleApp.ts`.
 */
export const appFiles = async (): Promise<AppFiles> => {
  const module: Module = await import(bundler).catch(() => import(built))
  return module.appFiles()
}
