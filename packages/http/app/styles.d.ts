/** The bundler resolves imports of style sheets. */
declare module "*.css"
