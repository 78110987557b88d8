# make deb: command line, checker and library as one Debian package.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME beadwork)
set(CPACK_PACKAGE_VENDOR "beadwork")
set(CPACK_PACKAGE_CONTACT "the beadwork developers <beadwork@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "learn provably optimal binary decision diagrams")
set(CPACK_PACKAGE_DESCRIPTION
    "Small classifiers that people can read, with a proof that no other of the same depth makes fewer errors.\nCommand line, certificate checker and C++ library.")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What programs that link the library need beside it, and what draws PNG and PDF.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libfmt-dev, libcadical-dev, librsvg2-bin, graphviz")
include(CPack)
