;;; unphi.el --- unphi server for HIP buffers, by eglot  -*- lexical-binding: t; -*-
;; Into init.el. Eglot comes with Emacs 29; for Emacs 28 it is in GNU ELPA.
(add-to-list 'auto-mode-alist '("\\.hip\\'" . c++-mode))
(with-eval-after-load 'eglot (add-to-list 'eglot-server-programs '(c++-mode . ("unphi" "server"))))
(add-hook 'c++-mode-hook #'eglot-ensure)
;;; unphi.el ends here
