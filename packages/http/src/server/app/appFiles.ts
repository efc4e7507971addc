/** The script and style of a page, each as one text. */
export interface PageFiles {
  readonly script: string
  readonly style: string
}

/** `app` is the wallet page, `admin` the operator's console. */
export type PageName = "app" | "admin"

export type AppFiles = Readonly<Record<PageName, PageFiles>>

/** Not a literal, because the compiler would follow the import, and the package lacks the bundler. */
const bundler = new URL("../../../bundleApp.ts", import.meta.url).href
const builtModule = new URL("../../../dist/server/app/appFiles.js", import.meta.url).href

interface Module {
  readonly appFiles: () => Promise<AppFiles>
}

/**
 * Bundled at the first request in a checkout. Without development dependencies the last build is used. A published
 * build contains the texts instead of this module (see `bundleApp.ts`).
 */
export const appFiles = async (): Promise<AppFiles> => {
  const module: Module = await import(bundler).catch(() => import(builtModule))
  return module.appFiles()
}
